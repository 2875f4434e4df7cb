package import EventLog
package import EventModel
internal import Foundation

/// Removes old or excess events from logs, and old finished files next to them.
package struct LogPruner {
    private let path: String
    private let limits: Retention
    private let includesUnsent: Bool
    private let now: EventTime

    /// Plans a pruning.
    ///
    /// - Parameters:
    /// - path: A database, or a folder with logs and their files.
    /// - limits: The age, count and bytes to keep. The age also applies to finished files of lines.
    /// - includesUnsent: Whether to remove events that a consumer has not received, too.
    /// - now: The current time, which ages refer to.
    package init(_ path: String, limits: Retention, includesUnsent: Bool, now: EventTime) {
        self.path = path
        self.limits = limits
        self.includesUnsent = includesUnsent
        self.now = now
    }

    /// Reports what would be removed. Changes nothing. Other processes may write to the logs at the same time.
    ///
    /// - Throws: ``/EventLog/EventLogError``; ``LogMaintenanceError``: `notFound`, `nothingToPrune`.
    package func examine() throws -> PruneReport {
        let (inventory, inUse) = try inventory()
        var report = PruneReport()
        for database in inventory.databases {
            let log = try DatabaseExamination(path: database)
            let trimming = try log.trimming(limits, includingUnsent: includesUnsent, now: now)
            let journals = try JournalExamination(database: database, after: try log.totals().lastSeq)
            report.logs.append(
                PruneReport.Log(
                    path: database, trimming: trimming, isCompacted: false,
                    waiting: journals?.rings.reduce(0) { $0 + $1.waiting } ?? 0))
        }
        try addFiles(inventory, inUse, to: &report)
        return report
    }

    /// Prunes. If a process has the log open, the database keeps its free pages until the next run.
    ///
    /// - Throws: ``/EventLog/EventLogError``; ``LogMaintenanceError``: `notFound`, `nothingToPrune`, `interrupted`.
    package func run() async throws -> PruneReport {
        let (inventory, inUse) = try inventory()
        var report = PruneReport()
        let before = Self.size(inventory)
        for database in inventory.databases {
            try LogMaintenanceError.checkInterruption()
            report.logs.append(try await trim(database))
        }
        try addFiles(inventory, inUse, to: &report)
        for file in report.files {
            try LogMaintenanceError.checkInterruption()
            try FileManager.default.removeItem(atPath: file.path)
        }
        report.bytesFreed = before - Self.size(inventory)
        return report
    }

    /// The files, and the first numbers of files that a sink has not acknowledged.
    private func inventory() throws -> (LogInventory, inUse: Set<Int64>) {
        var inventory = try LogInventory(path)
        if inventory.isFolder { try inventory.keepLogs() }
        let isFolder = inventory.isFolder || inventory.databases.isEmpty
        var inUse: Set<Int64> = []
        for database in inventory.databases {
            guard FileFacts(database) != nil else {
                throw LogMaintenanceError(
                    .unfinished,
                    "\(database) is missing, but other files of the log exist: run trackctl doctor \(path) --fix")
            }
            let consumers = try DatabaseExamination(path: database).consumers()
            inUse.formUnion(consumers.compactMap { FileCheckpoint($0.cursor.checkpoint)?.firstSeq })
            if !isFolder {
                inventory.add(series: Set(consumers.compactMap { SinkSeries.name(ofConsumer: $0.cursor.consumer) }))
            }
        }
        guard !inventory.databases.isEmpty || (limits.maximumAge != nil && !inventory.lineFiles.isEmpty) else {
            throw LogMaintenanceError(
                .nothingToPrune, "no event log in \(path): pass a database, or a folder that has one")
        }
        return (inventory, inUse)
    }

    private func trim(_ database: String) async throws -> PruneReport.Log {
        let options = SQLiteEventStore.Options(
            installID: { UUID().uuidString }, retention: .keepAll, maximumPendingBytes: 256 << 10)
        let store = try SQLiteEventStore(path: database, options: options)
        do {
            let trimming = try await store.trim(to: limits, includingUnsent: includesUnsent, now: now)
            let hasFreePages = trimming.events > 0 || (DatabaseHeader(path: database)?.freePages ?? 0) > 0
            let isCompacted = hasFreePages ? try await compact(store) : true
            try await store.close()
            return PruneReport.Log(path: database, trimming: trimming, isCompacted: isCompacted, waiting: 0)
        } catch {
            try? await store.close()  // loses only the error of closing: the first error counts
            throw error
        }
    }

    /// Releases the free pages, unless a reader prevents it.
    private func compact(_ store: SQLiteEventStore) async throws -> Bool {
        do {
            return try await store.compact()
        } catch let error as EventLogError where error.code == .inUse {
            return false
        }
    }

    private func addFiles(_ inventory: LogInventory, _ inUse: Set<Int64>, to report: inout PruneReport) throws {
        guard let age = limits.maximumAge else { return }
        let cutoff = now.advanced(by: .zero - age)
        for file in inventory.lineFiles {
            guard case .finished(let position) = file.role, !inUse.contains(position) else { continue }
            guard let facts = FileFacts(file.path) else { continue }  // removed meanwhile
            let content = FinishedFile(file)
            // A file without events is as old as its last modification. The age of an unreadable one is unknown.
            let newest = content.newest ?? (content.isWhole ? facts.written : nil)
            if let newest, newest >= cutoff { continue }
            if content.isWhole {
                report.files.append(PruneReport.File(path: file.path, events: content.events, bytes: facts.size))
            } else {
                report.unreadable.append(file.path)
            }
        }
    }

    private static func size(_ inventory: LogInventory) -> Int64 {
        (inventory.databases.flatMap(LogInventory.parts) + inventory.lineFiles.map(\.path))
            .reduce(0) { $0 + (FileFacts($1)?.size ?? 0) }
    }
}
