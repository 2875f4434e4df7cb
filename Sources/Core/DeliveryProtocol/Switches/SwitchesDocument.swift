package import EventModel
internal import JSONLines

/// Remote switches: what an app sends, and how it delivers, until the document expires.
///
/// `Schemas/switches/1-0-0.json` defines the members. Unknown members are ignored, because the document will grow. A
/// known member with an invalid value makes the whole document invalid.
package struct SwitchesDocument: Equatable, Sendable {
    /// Values that replace those of the app's flush policy; nil keeps the app's value.
    package struct Flush: Equatable, Sendable {
        /// Deliver after this many events.
        package var eventCount: Int?
        /// Deliver at this interval, in seconds.
        package var interval: Int?
        /// Whether to deliver when the app enters the background.
        package var onBackground: Bool?
    }

    /// The reason why a document is invalid. Contains no values of the document.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The maximum length in bytes.
    package static let maximumBytes = 64 << 10
    /// The maximum number of event names in ``off``.
    package static let maximumNames = 1000
    /// The latest time: the end of the year 9999.
    private static let latest: Int64 = 253_402_300_799
    private static let greatestVersion: Int64 = (1 << 53) - 1

    /// The number of the document. A document with a higher number replaces one with a lower number.
    package let version: Int64
    /// When the document was written; nil if unknown.
    package let issuedAt: EventTime?
    /// When the document ends.
    package let expiresAt: EventTime
    /// Whether the app sends events at all.
    package let isEnabled: Bool
    /// The names of events that the app does not send.
    package let off: Set<String>
    /// Changes of the flush policy.
    package let flush: Flush?
    /// The maximum number of events per second; nil for no change.
    package let sendingLimit: Int?

    /// Reads a document.
    ///
    /// Whole numbers may be written as `12.0`, as in JSON Schema. Decimals that differ from a whole number by less than
    /// a double can represent are read as this number.
    ///
    /// - Throws: ``Invalid``.
    package init(_ bytes: [UInt8]) throws(Invalid) {
        guard bytes.count <= Self.maximumBytes else {
            throw Invalid(description: "it has \(bytes.count) bytes, over the limit of \(Self.maximumBytes)")
        }
        let json: JSONValue
        do { json = try JSONParser.parse(bytes) } catch {
            throw Invalid(description: "it is not JSON: \(error.reason) at byte \(error.offset)")
        }
        guard case .object = json else { throw Invalid(description: "it is not a JSON object") }
        let document = Members(json, path: "")
        version = try document.required("version", in: 1...Self.greatestVersion)
        expiresAt = EventTime(seconds: try document.required("expires_at", in: 0...Self.latest))
        issuedAt = try document.integer("issued_at", in: 0...Self.latest).map { EventTime(seconds: $0) }
        isEnabled = try document.bool("enabled") ?? true
        off = try document.names("off") ?? []
        sendingLimit = try document.integer("sending_limit", in: 1...1_000_000).map { Int($0) }
        flush = try document.object("flush").map { members throws(Invalid) in
            Flush(
                eventCount: try members.integer("event_count", in: 10...100_000).map { Int($0) },
                interval: try members.integer("interval", in: 5...86_400).map { Int($0) },
                onBackground: try members.bool("on_background"))
        }
    }

    /// The time of the expiry in UTC, for messages: `2030-01-31T00:00:00Z`.
    package var expiry: String { "\(expiresAt.rfc3339.prefix(19))Z" }

    /// Whether the document has ended.
    package func isExpired(at time: EventTime) -> Bool { expiresAt <= time }
}

private struct Members {
    private let object: JSONValue
    private let path: String

    init(_ object: JSONValue, path: String) {
        self.object = object
        self.path = path
    }

    private func invalid(_ name: String, _ requirement: String) -> SwitchesDocument.Invalid {
        SwitchesDocument.Invalid(description: "\(path)\(name) must be \(requirement)")
    }

    func required(_ name: String, in range: ClosedRange<Int64>) throws(SwitchesDocument.Invalid) -> Int64 {
        guard let value = try integer(name, in: range) else {
            throw SwitchesDocument.Invalid(description: "\(path)\(name) is missing")
        }
        return value
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(SwitchesDocument.Invalid) -> Int64? {
        let value: Int64?
        switch object[name] {
        case nil: return nil
        case .integer(let integer): value = integer
        case .number(let number): value = Int64(exactly: number)
        default: value = nil
        }
        guard let value, range.contains(value) else {
            throw invalid(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func bool(_ name: String) throws(SwitchesDocument.Invalid) -> Bool? {
        switch object[name] {
        case nil: return nil
        case .bool(let value): return value
        default: throw invalid(name, "true or false")
        }
    }

    func names(_ name: String) throws(SwitchesDocument.Invalid) -> Set<String>? {
        guard let value = object[name] else { return nil }
        guard case .array(let elements) = value, elements.count <= SwitchesDocument.maximumNames else {
            throw invalid(name, "a list of at most \(SwitchesDocument.maximumNames) event names")
        }
        var names: Set<String> = []
        for (index, element) in elements.enumerated() {
            guard let text = element.stringValue, EventName.isValid(text) else {
                throw invalid("\(name)[\(index)]", "an event name, such as order-placed")
            }
            names.insert(text)
        }
        return names
    }

    func object(_ name: String) throws(SwitchesDocument.Invalid) -> Members? {
        guard let value = object[name] else { return nil }
        guard case .object = value else { throw invalid(name, "an object") }
        return Members(value, path: "\(path)\(name).")
    }
}
