/// A person whose answers a log can look up without computing a digest again.
public struct ConsentPerson: Sendable {
    /// A user's id or a device's id; empty for everyone who uses the log.
    public let id: String
    /// Under which the log stores the person's records: 44 bits of the id's SHA-256, never 0.
    package let key: UInt64

    /// Everyone who uses the log.
    package static let everyone = ConsentPerson(ConsentRule.everyone)

    /// Makes a person from an id. Computes a SHA-256.
    public init(_ id: String) { self.init(id, key: ConsentMirror.key(of: id)) }

    /// - Parameter key: The ``key`` of a person with this id.
    package init(_ id: String, key: UInt64) {
        self.id = id
        self.key = key
    }
}
