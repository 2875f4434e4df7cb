/// A file of JSON lines, told by its name.
package struct LineFile: Hashable, Sendable {
    /// What it is for.
    package enum Role: Hashable, Sendable {
        /// The file of a series that is being written.
        case open
        /// A finished file of a series, by its place in it: those with lower places were written earlier.
        case finished(place: Int64)
        /// What a sink has put aside as damaged.
        case setAside
        /// What a collector or a check has refused.
        case deadLetters
        /// A recording of actions.
        case recording
        /// A file that was never finished.
        case partial
    }

    /// Where it stands.
    package let path: String
    /// What it is for.
    package let role: Role
    /// The name that the files of its series share.
    package let series: String

    /// Reads a name; nil for one that no file of lines has.
    package init?(path: String) {
        self.path = path
        var name = Substring(FolderContent.name(path))
        let isPartial = Self.drop(".partial", from: &name)
        if isPartial { _ = Self.drop(".resume", from: &name) }
        _ = Self.drop(".gz", from: &name)
        if let match = name.wholeMatch(of: /(.*)\.jsonl(?:\.\d+)?(?:\.gz)?\.(?:damaged|torn)-\d+/) {
            (role, series) = (.setAside, String(match.1))
        } else if let match = name.wholeMatch(of: /(.*)\.jsonl\.(\d{1,9})/), let number = Int64(match.2) {
            // Numbered by age: the highest is the oldest, and older than any named by its first event.
            (role, series) = (.finished(place: -number), String(match.1))
        } else if Self.drop(".jsonl", from: &name) {
            (role, series) = isPartial ? (.partial, String(name)) : Self.role(name)
        } else {
            return nil
        }
    }

    /// A file of any name that somebody says holds lines.
    init(unnamed path: String) {
        self.path = path
        (role, series) = (.open, FolderContent.name(path))
    }

    private static func role(_ name: Substring) -> (Role, String) {
        if name.hasSuffix(".dlq") || name.hasSuffix(".rejects") { return (.deadLetters, String(name)) }
        if name == "actions" || name.hasSuffix(".actions") { return (.recording, String(name)) }
        if let match = name.wholeMatch(of: /(.*)-(\d{16,18})/), let first = Int64(match.2) {
            return (.finished(place: first), String(match.1))
        }
        return (.open, String(name))
    }

    private static func drop(_ end: String, from name: inout Substring) -> Bool {
        guard name.hasSuffix(end) else { return false }
        name.removeLast(end.count)
        return true
    }

    /// Whether it belongs to the events that a sink delivers.
    var isDelivered: Bool {
        switch role {
        case .open, .finished: true
        default: false
        }
    }

    /// Its place in its series.
    var place: Int64 {
        if case .finished(let place) = role { place } else { .max }
    }
}
