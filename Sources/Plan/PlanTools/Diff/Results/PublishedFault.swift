package import EventModel

/// A version that was published and is not what it was.
package struct PublishedFault: Sendable {
    /// What happened to it.
    package enum Kind: String, Sendable {
        /// Its file has other bytes.
        case changed
        /// Its file is gone.
        case vanished
    }

    /// What happened to it.
    package let kind: Kind
    /// The event's name.
    package let name: String
    /// The version.
    package let version: SchemaVersion
    /// The file, as messages name it.
    package let file: String
    /// What changed in it; nil if it is gone.
    package let diff: VersionDiff?
    /// The version that the changed schema could have; nil if it is gone.
    package let proposed: SchemaVersion?
}
