internal import Foundation
public import Tracking

/// An event that a plan allows, made by chance: see ``FakeEvents``.
public struct FakeEvent: Sendable {
    /// Its name: `search`.
    public let name: String
    /// The whole line, as the SDK would write it, without a line feed.
    public let line: String
    /// Its `value` on the wire; `.null` for an event that has none.
    public let value: JSONValue

    /// Reads the event's value into a type of the app: an event that is `Decodable`, too, or what a screen is made of.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        var json = JSONWriter()
        try (value == .null ? .object([:]) : value).write(to: &json)
        return try JSONDecoder().decode(type, from: Data(json.bytes))
    }
}
