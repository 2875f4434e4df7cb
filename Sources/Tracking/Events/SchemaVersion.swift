/// A version of a schema, in the order MODEL-REVISION-ADDITION: `1-0-0` is the first.
///
/// An addition leaves every old event valid, a revision may break a reader, a model breaks events.
public struct SchemaVersion: Hashable, Sendable, CustomStringConvertible {
    /// Counts changes that make old events invalid; from 1.
    public let model: Int
    /// Counts changes that may break a reader.
    public let revision: Int
    /// Counts changes that break nothing.
    public let addition: Int

    /// Makes a version of its three numbers.
    public init(_ model: Int, _ revision: Int, _ addition: Int) {
        self.model = model
        self.revision = revision
        self.addition = addition
    }

    /// The form on the wire: `1-0-0`.
    public var description: String { "\(model)-\(revision)-\(addition)" }
}
