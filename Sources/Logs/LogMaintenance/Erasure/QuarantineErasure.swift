internal import EventLog
internal import EventModel

/// Erases a user's events from damaged databases and rings that a log has moved aside. Checks event by event: a byte
/// search misses lines stored in fragments, and escaped ids.
struct QuarantineErasure {
    private let rule: ErasureRule

    init(_ rule: ErasureRule) { self.rule = rule }

    /// The result of examining a file.
    private struct Examined {
        var location: ErasedLocation
        /// Whether every event was read.
        var isWhole = true
    }

    /// Reports what would be erased from the files of a folder. Changes nothing.
    func examine(in folder: String) -> [ErasedLocation] {
        files(in: folder).map { path in
            var examined = examined(path)
            if isWanted(examined) { examined.location.note = examined.isWhole ? Self.willBeMade : Self.willBeSalvaged }
            return examined.location
        }
    }

    private static let willBeMade = "contains the id: its events will be erased"
    private static let willBeSalvaged = "cannot be read to the end: readable events of others stay, the rest is removed"

    /// Erases the user's events from the files of a folder.
    ///
    /// - Throws: ``/EventLog/EventLogError``. Run it again to continue.
    func erase(in folder: String) throws -> [ErasedLocation] {
        for path in owners(in: folder) {
            try QuarantinedFile.finish(path)
            QuarantinedFile.removeDraft(of: path)
        }
        return try files(in: folder).map { path in
            let examined = examined(path)
            return isWanted(examined) ? try erase(path) : examined.location
        }
    }

    private func erase(_ path: String) throws -> ErasedLocation {
        let (count, note): (Int64, String)
        if QuarantineName.isRing(path) {
            count = try QuarantinedFile.eraseRing(path, where: rule.erases)
            note = "overwritten, except records of other users"
        } else if let erased = try QuarantinedFile.eraseDatabase(path, where: rule.erases) {
            count = erased
            note = "rebuilt from its readable events"
        } else {
            count = 0
            note = "removed: nothing was readable"
        }
        // Only mentions remain.
        var location = FileFacts(path) == nil ? ErasedLocation(path, isDatabase: true) : examined(path).location
        location.removed = count
        location.note = note
        return location
    }

    /// Whether a file contains events of the user, or may contain some.
    private func isWanted(_ examined: Examined) -> Bool {
        if examined.location.removed > 0 || !examined.isWhole { return true }
        let search = TraceSearch(rule.matcher.forms)
        return QuarantineName.parts(of: examined.location.path).contains { (search.trace(in: $0)?.count ?? 0) > 0 }
    }

    private func examined(_ path: String) -> Examined {
        var examined = Examined(location: ErasedLocation(path, isDatabase: true))
        do {
            if QuarantineName.isRing(path) {
                try QuarantinedFile.forEachEvent(inRing: path) { event in
                    examined.location.count(rule.fate(of: event.line), event.seq, bytes: event.line.count)
                }
            } else {
                try examineRows(path, &examined)
            }
        } catch let error as EventLogError {
            switch error.code {
            case .corrupt: examined.isWhole = false
            // A file of another program, or without a readable first page.
            case .notAnEventLog, .notFound: examined.isWhole = !QuarantineName.isLog(path)
            default: examined.location.issue = error.message
            }
        } catch {
            examined.isWhole = false
        }
        return examined
    }

    private func examineRows(_ path: String, _ examined: inout Examined) throws {
        let finished = path + QuarantinedFile.finishedSuffix
        let path = FileFacts(finished) == nil ? path : finished
        // SQLite reads missing bytes of a page as zeros.
        if DatabaseHeader(path: path)?.lengthIssue != nil { examined.isWhole = false }
        let database = try DatabaseExamination(path: path)
        try database.forEachRecord(after: .min) { seq, record in
            if let record {
                record.borrowed { examined.location.count(rule.fate(of: $0.line), seq, bytes: $0.line.count) }
            } else {
                examined.isWhole = false
            }
            return true
        }
        // Rows on unreachable pages are not read.
        if try !database.structureIssues(thorough: false).isEmpty { examined.isWhole = false }
    }

    private func files(in folder: String) -> [String] {
        owners(in: folder).filter { QuarantineName.isRing($0) || QuarantineName.isDatabase($0) }
    }

    /// The files of a folder, without those that belong to a database. A -wal file may be all that is left of a
    /// database.
    private func owners(in folder: String) -> [String] {
        Set(FolderContent.files(under: folder).map(QuarantineName.owner)).sorted()
    }
}
