internal import EventModel
internal import Foundation

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
    /// - Throws: ``LogMaintenanceError``, `notFound`.
    package init(_ path: String, userID: String, removesMentions: Bool) throws {
        folder = try LogInventory(path, scope: .folder).folder
        rule = ErasureRule(matcher: UserMatcher(id: userID), removesMentions: removesMentions)
        lines = LineFileErasure(rule)
        quarantine = QuarantineErasure(rule)
    }

    // MARK: Looking

    /// Looks what would go. Changes nothing, and works beside a writer.
    ///
    /// - Throws: ``LogFileError``, ``/EventLog/EventLogError``.
    package func examine() throws -> ErasureReport {
        let inventory = try inventory()
        var report = ErasureReport()
        report.locations =
            databases(inventory).map { $0.examine() } + (try inventory.lineFiles.map { try lines.examine($0) })
        report.locations += inventory.quarantines.flatMap(quarantine.examine)
        report.locations.removeAll { !$0.isWorthTelling }
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
    /// - Throws: ``LogMaintenanceError``, `busy`, and ``/EventLog/EventLogError``, `inUse`, if a process has a log open; ``LogMaintenanceError``,
    ///   `interrupted`, if a signal comes; ``/EventLog/EventLogError`` and ``LogFileError`` if a file cannot be read or written. Run
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
                try LogMaintenanceError.checkInterruption()
                let (location, log) = try await database.erase()
                report.locations.append(location)
                opened.append(log)
            }
            for path in inventory.leftovers { unlink(path) }
            report.locations += try eraseLines(inventory, opened)
            for log in opened { try await SinkCheckpoints(log).renew() }
        } catch {
            for log in opened { try? await log.close() }  // the error that counts is the first
            throw error
        }
        for log in opened { try await log.close() }
        // An opening may have put files aside.
        for folder in try LogInventory(folder, scope: .folder).quarantines {
            try LogMaintenanceError.checkInterruption()
            report.locations += try quarantine.erase(in: folder)
        }
        report.locations.removeAll { !$0.isWorthTelling }
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

    /// Every file of the folder, and of the folders in it that logs make.
    private func files() -> [String] {
        FolderContent.files(under: folder) { path in
            path.hasSuffix(".journal") || QuarantineName.isFolder(path)
        }
    }

    private func size() -> Int64 { files().reduce(0) { $0 + (FileFacts($1)?.size ?? 0) } }
}

/// Which lines an erasure takes: a user's, and those of others that name the user if that is asked for.
struct ErasureRule: Sendable {
    /// What becomes of a line.
    enum Fate: Sendable {
        case stays
        /// It stays, although it names the user.
        case staysAsMention
        case goes
    }

    let matcher: UserMatcher
    let removesMentions: Bool

    /// What becomes of a line, without its line feed.
    ///
    /// - Parameter isRecording: As ``UserMatcher/verdict(_:isRecording:)`` has it.
    func fate(of line: UnsafeRawBufferPointer, isRecording: Bool = false) -> Fate {
        switch matcher.verdict(line, isRecording: isRecording) {
        case .other: .stays
        case .mention: removesMentions ? .goes : .staysAsMention
        case .theirs: .goes
        }
    }

    /// Whether an event goes.
    func erases(_ event: BorrowedEvent) -> Bool { fate(of: event.line) == .goes }
}

extension ErasedLocation {
    /// Counts a line.
    ///
    /// - Parameters:
    ///   - number: The event's, or the line's.
    ///   - bytes: With its line feed, in a file of lines.
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

/// What an erasure has removed, or would remove, and what is left.
package struct ErasureReport: Sendable {
    /// Each database, file of lines and file in quarantine that had anything of the user, or could not be read.
    package var locations: [ErasedLocation] = []
    /// Where the user's id still stands, after a search through every byte; before it, in files that are never changed.
    package var traces: [Trace] = []
    /// How much smaller the files have become.
    package var bytesFreed: Int64 = 0

    /// Lines that went.
    package var removed: Int64 { locations.reduce(0) { $0 + $1.removed } }
    /// Lines of others that name the user, and stay.
    package var mentions: Int64 { locations.reduce(0) { $0 + $1.mentionCount } }
    /// Whether nothing of the user is left.
    package var isComplete: Bool { traces.isEmpty && mentions == 0 && locations.allSatisfy { $0.issue == nil } }
}

/// What became of one file.
package struct ErasedLocation: Hashable, Sendable {
    /// The file.
    package let path: String
    /// Whether mentions are told by the events' numbers, and not by lines.
    package let isDatabase: Bool
    /// Lines that went.
    package var removed: Int64 = 0
    /// Their bytes.
    package var bytes: Int64 = 0
    /// Lines of others that name the user, and stay: the first twenty.
    package private(set) var mentions: [Int64] = []
    /// How many there are.
    package private(set) var mentionCount: Int64 = 0
    /// Why the file could not be gone through; nil if it was.
    package var issue: String?
    /// What else was done with it; nil for nothing.
    package var note: String?

    private static let shownMentions = 20

    init(_ path: String, isDatabase: Bool) {
        self.path = path
        self.isDatabase = isDatabase
    }

    mutating func addMention(_ location: Int64) {
        mentionCount += 1
        if mentions.count < Self.shownMentions { mentions.append(location) }
    }

    /// Whether there is anything to say of it.
    var isWorthTelling: Bool { removed > 0 || mentionCount > 0 || issue != nil || note != nil }
}
