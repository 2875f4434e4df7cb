internal import EventLog
internal import EventModel
internal import Foundation
internal import LogFiles

/// Removes every trace of one user from a folder: from its logs with their journals, from its files of lines, finished,
/// packed, refused, put aside or recorded, and from what was put aside as damaged. In the end it searches every byte.
///
/// Killed at any point, it has harmed nothing; run again, it goes on.
package struct UserErasure {
    private let folder: String
    private let rule: ErasureRule
    private let lines: LineFileErasure
    private let quarantine: QuarantineErasure

    /// Plans an erasure.
    ///
    /// - Parameters:
    ///   - path: The folder, or a file in it.
    ///   - userID: As the app has it; `user_id` in the lines. Not empty.
    ///   - removesMentions: Whether lines of others go, too, that name the user.
    /// - Throws: ``LogCareError``, `notFound`.
    package init(_ path: String, userID: String, removesMentions: Bool) throws {
        folder = try LogInventory(path, scope: .folder).folder
        rule = ErasureRule(matcher: UserMatcher(id: userID), removesMentions: removesMentions)
        lines = LineFileErasure(rule)
        quarantine = QuarantineErasure(rule)
    }

    // MARK: Looking

    /// Looks what would go. Changes nothing, and works beside a writer.
    ///
    /// - Throws: ``LogFileError``, ``EventLogError``.
    package func examine() throws -> ErasureReport {
        let inventory = try inventory()
        var report = ErasureReport()
        report.places =
            databases(inventory).map { $0.examine() } + (try inventory.lineFiles.map { try lines.examine($0) })
        report.places += inventory.quarantines.flatMap(quarantine.examine)
        report.places.removeAll { !$0.isWorthTelling }
        let search = TraceSearch(rule.matcher.forms)
        report.traces = inventory.others.compactMap(search.trace)
        return report
    }

    private func inventory() throws -> LogInventory {
        var inventory = try LogInventory(folder, scope: .folder)
        try inventory.keepLogs()
        return inventory
    }

    private func databases(_ inventory: LogInventory) -> [DatabaseErasure] {
        inventory.databases.map { DatabaseErasure($0, rule) }
    }

    // MARK: Erasing

    /// Erases, and searches what is left.
    ///
    /// - Throws: ``LogCareError``, `busy`, and ``EventLogError``, `inUse`, if a process has a log open; ``LogCareError``,
    ///   `interrupted`, if a signal comes; ``EventLogError`` and ``LogFileError`` if a file cannot be read or written. Run
    ///   again, it goes on.
    package func run() async throws -> ErasureReport {
        let inventory = try inventory()
        let before = size()
        var report = ErasureReport()
        let databases = databases(inventory)
        for database in databases { try database.refuseIfOpen() }
        var opened: [OpenedLog] = []
        do {
            for database in databases {
                try LogCareError.checkInterruption()
                let (place, log) = try await database.erase()
                report.places.append(place)
                opened.append(log)
            }
            for path in inventory.leftovers { unlink(path) }
            report.places += try eraseLines(inventory, opened)
            for log in opened { try await SinkCheckpoints(log).renew() }
        } catch {
            for log in opened { try? await log.close() }  // the error that counts is the first
            throw error
        }
        for log in opened { try await log.close() }
        // An opening may have put files aside.
        for folder in try LogInventory(folder, scope: .folder).quarantines {
            try LogCareError.checkInterruption()
            report.places += try quarantine.erase(in: folder)
        }
        report.places.removeAll { !$0.isWorthTelling }
        let search = TraceSearch(rule.matcher.forms)
        report.traces = files().compactMap(search.trace)
        report.bytesFreed = before - size()
        return report
    }

    private func eraseLines(_ inventory: LogInventory, _ opened: [OpenedLog]) throws -> [ErasedPlace] {
        var delivered: [String: Int64] = [:]
        for log in opened { delivered.merge(try SinkCheckpoints(log).deliveredBytes(), uniquingKeysWith: min) }
        return try inventory.lineFiles.map { try lines.erase($0, deliveredBytes: delivered[$0.path]) }
    }

    /// Every file of the folder, and of the folders in it that logs make.
    private func files() -> [String] {
        FolderContent.files(under: folder) { path in
            path.hasSuffix(".journal") || QuarantineName.isFolder(path)
        }
    }

    private func size() -> Int64 { files().reduce(0) { $0 + (FileFacts($1)?.size ?? 0) } }
}
