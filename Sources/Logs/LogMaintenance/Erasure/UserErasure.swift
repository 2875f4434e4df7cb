internal import EventModel
internal import Foundation

/// Erases every trace of a user from a folder: logs with their journals, files of lines (finished, compressed, dead
/// letters, moved aside, recordings), and damaged files that were moved aside. Finally, searches every byte.
///
/// You can interrupt it safely, and run it again to continue.
package struct UserErasure {
    private let folder: String
    private let rule: ErasureRule
    private let lines: LineFileErasure
    private let quarantine: QuarantineErasure

    /// Plans an erasure.
    ///
    /// - Parameters:
    /// - path: The folder, or a file in it.
    /// - userID: The value of `user_id`. Must not be empty.
    /// - removesMentions: Whether to remove lines of other users that contain the id, too.
    /// - Throws: ``LogMaintenanceError``, `notFound`.
    package init(_ path: String, userID: String, removesMentions: Bool) throws {
        folder = try LogInventory(path, scope: .folder).folder
        rule = ErasureRule(matcher: UserMatcher(id: userID), removesMentions: removesMentions)
        lines = LineFileErasure(rule)
        quarantine = QuarantineErasure(rule)
    }

    /// Reports what would be erased. Changes nothing. Other processes may write to the logs at the same time.
    ///
    /// - Throws: ``LogFileError``, ``/EventLog/EventLogError``.
    package func examine() throws -> ErasureReport {
        let inventory = try inventory()
        var report = ErasureReport()
        report.locations =
            databases(inventory).map { $0.examine() } + (try inventory.lineFiles.map { try lines.examine($0) })
        report.locations += inventory.quarantines.flatMap(quarantine.examine)
        report.locations.removeAll { !$0.isReported }
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

    /// Erases, and searches the remaining files.
    ///
    /// - Throws: ``LogMaintenanceError``, `busy`, and ``/EventLog/EventLogError``, `inUse`, if a process has a log
    ///   open; ``LogMaintenanceError``, `interrupted`, after a signal; ``/EventLog/EventLogError`` and ``LogFileError``
    ///   if a file cannot be read or written. Run it again to continue.
    package func run() async throws -> ErasureReport {
        let inventory = try inventory()
        let before = size()
        var report = ErasureReport()
        let databases = databases(inventory)
        for database in databases { try database.checkNotOpen() }
        var opened: [OpenedLog] = []
        do {
            for database in databases {
                try LogMaintenanceError.checkInterruption()
                let (location, log) = try await database.erase()
                report.locations.append(location)
                opened.append(log)
            }
            for path in inventory.leftovers { unlink(path) }
            report.locations += try eraseLines(inventory, opened)
            for log in opened { try await SinkCheckpoints(log).renew() }
        } catch {
            for log in opened { try? await log.close() }  // loses only the error of closing: the first error counts
            throw error
        }
        for log in opened { try await log.close() }
        // Opening a log may have moved damaged files aside.
        for folder in try LogInventory(folder, scope: .folder).quarantines {
            try LogMaintenanceError.checkInterruption()
            report.locations += try quarantine.erase(in: folder)
        }
        report.locations.removeAll { !$0.isReported }
        let search = TraceSearch(rule.matcher.forms)
        report.traces = files().compactMap(search.trace)
        report.bytesFreed = before - size()
        return report
    }

    private func eraseLines(_ inventory: LogInventory, _ opened: [OpenedLog]) throws -> [ErasedLocation] {
        var delivered: [String: Int64] = [:]
        for log in opened { delivered.merge(try SinkCheckpoints(log).deliveredBytes(), uniquingKeysWith: min) }
        return try inventory.lineFiles.map { try lines.erase($0, deliveredBytes: delivered[$0.path]) }
    }

    /// All files of the folder, and of the subfolders that logs create.
    private func files() -> [String] {
        FolderContent.files(under: folder) { path in
            path.hasSuffix(".journal") || QuarantineName.isFolder(path)
        }
    }

    private func size() -> Int64 { files().reduce(0) { $0 + (FileFacts($1)?.size ?? 0) } }
}

/// Selects the lines to erase: a user's, and optionally those of other users that contain the id.
struct ErasureRule: Sendable {
    /// What to do with a line.
    enum Fate: Sendable {
        case stays
        /// The line stays although it contains the id.
        case staysAsMention
        case goes
    }

    let matcher: UserMatcher
    let removesMentions: Bool

    /// What to do with a line, without its line feed.
    ///
    /// - Parameter isRecording: See ``UserMatcher/verdict(_:isRecording:)``.
    func fate(of line: UnsafeRawBufferPointer, isRecording: Bool = false) -> Fate {
        switch matcher.verdict(line, isRecording: isRecording) {
        case .other: .stays
        case .mention: removesMentions ? .goes : .staysAsMention
        case .theirs: .goes
        }
    }

    /// Whether to erase an event.
    func erases(_ event: BorrowedEvent) -> Bool { fate(of: event.line) == .goes }
}

extension ErasedLocation {
    /// Counts a line.
    ///
    /// - Parameters:
    /// - number: The number of the event or the line.
    /// - bytes: The length; in a file of lines, including the line feed.
    mutating func count(_ fate: ErasureRule.Fate, _ number: Int64, bytes: Int) {
        switch fate {
        case .stays: break
        case .staysAsMention: addMention(number)
        case .goes:
            removed += 1
            self.bytes += Int64(bytes)
        }
    }
}

/// The result of an erasure, done or planned.
package struct ErasureReport: Sendable {
    /// The databases, files of lines and files moved aside that had data of the user, or could not be read.
    package var locations: [ErasedLocation] = []
    /// Remaining occurrences of the user's id, found by searching every byte. Before the erasure, those in files that
    /// are never changed.
    package var traces: [Trace] = []
    /// How much smaller the files have become.
    package var bytesFreed: Int64 = 0

    /// Erased lines.
    package var removed: Int64 { locations.reduce(0) { $0 + $1.removed } }
    /// Remaining lines of other users that contain the id.
    package var mentions: Int64 { locations.reduce(0) { $0 + $1.mentionCount } }
    /// Whether no trace of the user is left.
    package var isComplete: Bool { traces.isEmpty && mentions == 0 && locations.allSatisfy { $0.issue == nil } }
}

/// The result for one file.
package struct ErasedLocation: Hashable, Sendable {
    package let path: String
    /// Whether mentions are event numbers, rather than line numbers.
    package let isDatabase: Bool
    /// Erased lines.
    package var removed: Int64 = 0
    /// The bytes of the erased lines.
    package var bytes: Int64 = 0
    /// The first twenty remaining lines of other users that contain the id.
    package private(set) var mentions: [Int64] = []
    /// The number of such lines.
    package private(set) var mentionCount: Int64 = 0
    /// Why the file could not be processed; nil if it was.
    package var issue: String?
    /// Further information on the file; nil for none.
    package var note: String?

    private static let shownMentions = 20

    init(_ path: String, isDatabase: Bool) {
        self.path = path
        self.isDatabase = isDatabase
    }

    mutating func addMention(_ number: Int64) {
        mentionCount += 1
        if mentions.count < Self.shownMentions { mentions.append(number) }
    }

    /// Whether there is anything to report.
    var isReported: Bool { removed > 0 || mentionCount > 0 || issue != nil || note != nil }
}
