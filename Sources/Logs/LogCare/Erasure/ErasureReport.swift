/// What an erasure has removed, or would remove, and what is left.
package struct ErasureReport: Sendable {
    /// Each database, file of lines and file in quarantine that had anything of the user, or could not be read.
    package var places: [ErasedPlace] = []
    /// Where the user's id still stands, after a search through every byte; before it, in files that are never changed.
    package var traces: [Trace] = []
    /// How much smaller the files have become.
    package var bytesFreed: Int64 = 0

    /// Lines that went.
    package var removed: Int64 { places.reduce(0) { $0 + $1.removed } }
    /// Lines of others that name the user, and stay.
    package var mentions: Int64 { places.reduce(0) { $0 + $1.mentionCount } }
    /// Whether nothing of the user is left.
    package var isComplete: Bool { traces.isEmpty && mentions == 0 && places.allSatisfy { $0.fault == nil } }
}

/// What became of one file.
package struct ErasedPlace: Hashable, Sendable {
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
    package var fault: String?
    /// What else was done with it; nil for nothing.
    package var note: String?

    private static let shownMentions = 20

    init(_ path: String, isDatabase: Bool) {
        self.path = path
        self.isDatabase = isDatabase
    }

    mutating func addMention(_ place: Int64) {
        mentionCount += 1
        if mentions.count < Self.shownMentions { mentions.append(place) }
    }

    /// Whether there is anything to say of it.
    var isWorthTelling: Bool { removed > 0 || mentionCount > 0 || fault != nil || note != nil }
}
