internal import EventLog
internal import EventModel

/// Takes a user's events out of what a log has put aside as damaged: databases and rings. They are gone through event by
/// event: in a database a line may lie in pieces, and anywhere an id may be escaped, which a search of bytes passes over.
struct QuarantineErasure {
    private let rule: ErasureRule

    init(_ rule: ErasureRule) { self.rule = rule }

    /// What was seen in a file.
    private struct Look {
        var location: ErasedLocation
        /// Whether every event in it was seen.
        var isWhole = true
    }

    /// Looks what would go from the files of a folder. Changes nothing.
    func examine(in folder: String) -> [ErasedLocation] {
        files(in: folder).map { path in
            var look = look(path)
            if isWanted(look) { look.location.note = look.isWhole ? Self.willBeMade : Self.willBeSalvaged }
            return look.location
        }
    }

    private static let willBeMade = "holds the id: it will be gone through"
    private static let willBeSalvaged = "cannot be read to its end: what can be read of others stays, all else goes"

    /// Erases from the files of a folder.
    ///
    /// - Throws: ``/EventLog/EventLogError``. Run again, it goes on.
    func erase(in folder: String) throws -> [ErasedLocation] {
        for path in owners(in: folder) {
            try QuarantinedFile.finish(path)
            QuarantinedFile.removeDraft(of: path)
        }
        return try files(in: folder).map { path in
            let look = look(path)
            return isWanted(look) ? try erase(path) : look.location
        }
    }

    private func erase(_ path: String) throws -> ErasedLocation {
        let (count, note): (Int64, String)
        if QuarantineName.isRing(path) {
            count = try QuarantinedFile.eraseRing(path, where: rule.erases)
            note = "overwritten but for the records of others"
        } else if let erased = try QuarantinedFile.eraseDatabase(path, where: rule.erases) {
            (count, note) = (erased, "made anew of what can be read of it")
        } else {
            (count, note) = (0, "removed: nothing in it could be read")
        }
        // What is left: mentions.
        var location = FileFacts(path) == nil ? ErasedLocation(path, isDatabase: true) : look(path).location
        (location.removed, location.note) = (count, note)
        return location
    }

    /// Whether there is anything of the user in a file, or may be.
    private func isWanted(_ look: Look) -> Bool {
        if look.location.removed > 0 || !look.isWhole { return true }
        let search = TraceSearch(rule.matcher.forms)
        return QuarantineName.parts(of: look.location.path).contains { (search.trace(in: $0)?.count ?? 0) > 0 }
    }

    // MARK: Looking

    private func look(_ path: String) -> Look {
        var look = Look(location: ErasedLocation(path, isDatabase: true))
        do {
            if QuarantineName.isRing(path) {
                try QuarantinedFile.forEachEvent(inRing: path) { event in
                    look.location.count(rule.fate(of: event.line), event.seq, bytes: event.line.count)
                }
            } else {
                try lookThroughRows(path, &look)
            }
        } catch let error as EventLogError {
            switch error.code {
            case .corrupt: look.isWhole = false
            // Another program's, or without a first page that could be read.
            case .notAnEventLog, .notFound: look.isWhole = !QuarantineName.isLog(path)
            default: look.location.issue = error.message
            }
        } catch {
            look.isWhole = false
        }
        return look
    }

    private func lookThroughRows(_ path: String, _ look: inout Look) throws {
        let finished = path + QuarantinedFile.finishedSuffix
        let path = FileFacts(finished) == nil ? path : finished
        // SQLite takes what was cut off a page for zeros.
        if DatabaseHeader(path: path)?.lengthIssue != nil { look.isWhole = false }
        let database = try DatabaseExamination(path: path)
        try database.forEachRecord(after: .min) { seq, record in
            if let record {
                record.borrowed { look.location.count(rule.fate(of: $0.line), seq, bytes: $0.line.count) }
            } else {
                look.isWhole = false
            }
            return true
        }
        // Rows on pages that nothing leads to any more are seen by nobody.
        if try !database.structureIssues(thorough: false).isEmpty { look.isWhole = false }
    }

    // MARK: Files

    private func files(in folder: String) -> [String] {
        owners(in: folder).filter { QuarantineName.isRing($0) || QuarantineName.isDatabase($0) }
    }

    /// The files of a folder without those that only stand beside a database. A -wal file may be all that is left of one.
    private func owners(in folder: String) -> [String] {
        Set(FolderContent.files(under: folder).map(QuarantineName.owner)).sorted()
    }
}
