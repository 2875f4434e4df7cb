internal import EventLog
internal import TextRendering

/// Reports how many files were removed for a quota.
enum QuotaCheck {
    static func findings(_ path: String, removed: RemovedFiles, consumers: [ExaminedConsumer]) -> [Finding] {
        let sinks = consumers.compactMap { consumer -> Finding? in
            guard let removed = FileCheckpoint(consumer.cursor.checkpoint)?.removed, removed.count > 0 else {
                return nil
            }
            return finding(
                path, what: "\(consumer.cursor.consumer): \(removed.count.counted("finished file"))", removed: removed)
        }
        guard removed.count > 0 else { return sinks }
        return [finding(path, what: removed.count.counted("folder") + " of damaged files", removed: removed)] + sinks
    }

    private static func finding(_ path: String, what: String, removed: RemovedFiles) -> Finding {
        Finding(
            .quotas, .note, at: path, message: "\(what) (\(removed.bytes.counted("byte"))) removed for the quota",
            numbers: ["files": removed.count, "bytes": removed.bytes])
    }
}
