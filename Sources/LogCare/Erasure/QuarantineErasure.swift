internal import EventLog

/// Takes a user's events out of what a log has put aside as damaged.
struct QuarantineErasure {
    private let matcher: UserMatcher
    private let removesMentions: Bool

    init(_ matcher: UserMatcher, removesMentions: Bool) {
        self.matcher = matcher
        self.removesMentions = removesMentions
    }

    /// The files of a folder that hold the user's id: databases and rings.
    func findings(in folder: String) -> [String] {
        let search = TraceSearch(matcher.forms)
        let traces = FolderContent.files(under: folder).filter { (search.trace(in: $0)?.count ?? 0) > 0 }
        // A -wal file may be all that is left of a database.
        let owners = Set(traces.map { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") ? String($0.dropLast(4)) : $0 })
        return owners.filter { isRing($0) || isDatabase($0) }.sorted()
    }

    private func isRing(_ path: String) -> Bool { FolderContent.name(path).hasPrefix("writer-") }

    /// By its name, which is its folder's: its first page may be damaged.
    private func isDatabase(_ path: String) -> Bool {
        let folder = FolderContent.name(FolderContent.folder(of: path))
        return DatabaseHeader(path: path) != nil || folder.hasPrefix(FolderContent.name(path) + ".damaged-")
    }

    /// Erases from the files of a folder.
    ///
    /// - Throws: ``EventLogError``. Run again, it goes on.
    func erase(in folder: String) throws -> [ErasedPlace] {
        for path in FolderContent.paths(folder) { QuarantinedFile.removeDraft(of: path) }
        return try findings(in: folder).map { path in
            var place = ErasedPlace(path, isDatabase: true)
            if isRing(path) {
                place.removed = try QuarantinedFile.eraseRing(path, where: isErased)
                place.note = "overwritten but for the records of others"
            } else if let count = try QuarantinedFile.eraseDatabase(path, where: isErased) {
                place.removed = count
                place.note = "made anew of what can be read of it"
            } else {
                place.note = "removed: nothing in it could be read"
            }
            return place
        }
    }

    private func isErased(_ event: BorrowedEvent) -> Bool {
        switch matcher.verdict(event.line) {
        case .other: false
        case .mention: removesMentions
        case .theirs: true
        }
    }
}
