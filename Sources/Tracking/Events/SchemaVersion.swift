internal import JSONLines

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

extension SchemaVersion {
    /// Writes a schema, `search/1-0-0`, as one string. Versions of single digits, as nearly all are, allocate nothing.
    func write(after name: String, to json: inout JSONWriter) {
        let digits = 0..<10
        guard digits.contains(model), digits.contains(revision), digits.contains(addition) else {
            return json.string("\(name)/\(self)")
        }
        json.string(name, tail: 6) { tail in
            tail[0] = UInt8(ascii: "/")
            tail[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: model)
            tail[2] = UInt8(ascii: "-")
            tail[3] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: revision)
            tail[4] = UInt8(ascii: "-")
            tail[5] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: addition)
        }
    }
}
