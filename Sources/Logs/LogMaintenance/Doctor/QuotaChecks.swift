internal import EventLog
internal import TextRendering

/// Looks whether a database gives back the room of events that have gone.
enum FreePagesCheck {
    static func findings(_ path: String) -> [Finding] {
        guard let header = DatabaseHeader(path: path), header.owner == .eventLog else { return [] }
        let numbers = ["free_pages": Int64(header.freePages)]
        if header.shrinks {
            return [
                Finding(
                    .databaseFreePages, .ok, path, "\(header.freePages.counted("free page")); they are given back",
                    numbers: numbers)
            ]
        }
        return [
            Finding(
                .databaseFreePages, .note, path,
                "\(header.freePages.counted("free page")), which a log of an earlier version keeps",
                advice: "run trackctl doctor --fix: it writes the database anew, which shrinks from then on",
                numbers: numbers, remedy: .compact(database: path))
        ]
    }
}

/// Shows how many files have gone because a quota did not keep them.
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
