internal import EventLog
internal import TextRendering

/// Checks that a database shrinks when events are deleted.
enum FreePagesCheck {
    static func findings(_ path: String, _ format: DatabaseFormat) -> [Finding] {
        let numbers = ["free_pages": Int64(format.freePages)]
        if format.shrinks {
            return [
                Finding(
                    .databaseFreePages, .ok, at: path,
                    message: "\(format.freePages.counted("free page")), to be released",
                    numbers: numbers)
            ]
        }
        return [
            Finding(
                .databaseFreePages, .note, at: path,
                message:
                    "\(format.freePages.counted("free page")), which this log of an earlier version does not release",
                advice: "run trackctl doctor --fix: it rewrites the database, so that it shrinks from then on",
                numbers: numbers, remedy: .compact(database: path))
        ]
    }
}

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
