public import JSONLines

/// Something worth recording. An app declares its own beside the five that come with the SDK:
///
/// ```swift
/// struct CheckoutCompleted: TrackingEvent {
///     static let name = "checkout-completed"
///     let items: Int
/// }
///
/// extension TrackingEvent where Self == CheckoutCompleted {
///     static func checkoutCompleted(items: Int) -> Self { CheckoutCompleted(items: items) }
/// }
///
/// tracking.send(.checkoutCompleted(items: 3))
/// // … "schema":"checkout-completed/1-0-0","event":{"name":"checkout-completed","value":{"items":3}}}
/// ```
///
/// What `encode(to:)` encodes becomes the `value` of the event on the wire. Name, version and ``carriesValue`` are those
/// of the type: an environment asks for them once.
public protocol TrackingEvent: Encodable, Sendable {
    /// The name on the wire: kebab-case (`a-z`, `0-9`, single hyphens, a letter first), at most 64 bytes.
    static var name: String { get }

    /// The version of the event's schema; 1-0-0 unless declared.
    static var schemaVersion: SchemaVersion { get }

    /// Whether the event has a `value` on the wire; true unless declared.
    static var carriesValue: Bool { get }

    /// Writes the event's `value`, a JSON object. The standard implementation encodes the event; one of your own
    /// is faster and must write the same value.
    ///
    /// - Throws: Whatever keeps the event from being JSON; it is then a counted drop.
    func writeValue(to json: inout JSONWriter) throws
}

extension TrackingEvent {
    public static var schemaVersion: SchemaVersion { SchemaVersion(1, 0, 0) }

    public static var carriesValue: Bool { true }

    public func writeValue(to json: inout JSONWriter) throws {
        try JSONLineEncoder.write(self, to: &json)
    }
}

/// The form of names that the wire format allows.
enum EventName {
    static let maximumLength = 64

    static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard !bytes.isEmpty, bytes.count <= maximumLength else { return false }
        var previous = UInt8(ascii: "-")
        for (position, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"): if position == 0 { return false }
            case UInt8(ascii: "-"): if previous == byte { return false }
            default: return false
            }
            previous = byte
        }
        return previous != UInt8(ascii: "-")
    }
}
