internal import EventLog
internal import TextRendering

/// Checks that a database shrinks when events are deleted.
enum FreePagesCheck {
    static func findings(_ path: String, _ format: DatabaseFormat) -> [Finding] {
        let numbers = ["free_pages": Int64(format.freePages)]
        if format.shrinks {
            return [
                Finding(
                    .databaseFreePages, .ok, path, "\(format.freePages.counted("free page")), to be released",
                    numbers: numbers)
            ]
        }
        return [
            Finding(
                .databaseFreePages, .note, path,
                "\(format.freePages.counted("free page")), which this log of an earlier version does not release",
                advice: "run trackctl doctor --fix: it rewrites the database, so that it shrinks from then on",
                numbers: numbers, remedy: .compact(database: path))
        ]
    }
}

/// Reports how many files were removed for a quota.
enum QuotaCheck {
    static func findings(_ path: String, _ removed: RemovedFiles, _ consumers: [ExaminedConsumer]) -> [Finding] {
        let sinks = consumers.compactMap { consumer -> Finding? in
            guard let removed = FileCheckpoint(consumer.cursor.checkpoint)?.removed, removed.count > 0 else {
                return nil
            }
            return finding(path, "\(consumer.cursor.consumer): \(removed.count.counted("finished file"))", removed)
        }
        guard removed.count > 0 else { return sinks }
        return [finding(path, removed.count.counted("folder") + " of damaged files", removed)] + sinks
    }

    private static func finding(_ path: String, _ what: String, _ removed: RemovedFiles) -> Finding {
        Finding(
            .quotas, .note, path, "\(what) (\(removed.bytes.counted("byte"))) removed for the quota",
            numbers: ["files": removed.count, "bytes": removed.bytes])
    }
}
