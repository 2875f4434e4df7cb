/// A version of a schema, in the order MODEL-REVISION-ADDITION: `1-0-0` is the first.
///
/// A new addition keeps all old events valid, a new revision may break readers, and a new model makes old events
/// invalid.
public struct SchemaVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counts changes that make old events invalid; from 1.
    public let model: Int
    /// Counts changes that may break readers.
    public let revision: Int
    /// Counts compatible changes.
    public let addition: Int

    /// Makes a version from its three numbers.
    public init(_ model: Int, _ revision: Int, _ addition: Int) {
        self.model = model
        self.revision = revision
        self.addition = addition
    }

    /// The form on the wire: `1-0-0`.
    public var description: String { "\(model)-\(revision)-\(addition)" }

    /// The largest valid number: 2147483647.
    package static let largestNumber = Int(Int32.max)

    /// Parses the wire format: three numbers without leading zeros, the first at least 1, none above 2147483647. Nil
    /// for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Int(part).flatMap { String($0) == part ? $0 : nil } }
        guard parts.count == 3, numbers.count == 3, numbers[0] > 0,
            numbers.allSatisfy({ (0...Self.largestNumber).contains($0) })
        else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// Compares model, then revision, then addition.
    public static func < (left: SchemaVersion, right: SchemaVersion) -> Bool {
        (left.model, left.revision, left.addition) < (right.model, right.revision, right.addition)
    }
}
