/// The position and the reason of invalid JSON.
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The offset of the first invalid byte, from 0.
    public let offset: Int
    /// The reason in a few words.
    public let reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// The column, from 1, in bytes.
    public var column: Int { offset + 1 }

    /// `column 17: expected a value`.
    public var description: String { "column \(column): \(reason)" }
}

/// The reason why a value can't be encoded as JSON. Contains the path of keys, never the value.
public struct JSONEncodingError: Error, Equatable, Sendable, CustomStringConvertible {
    private enum Code: Sendable { case notFinite, tooDeep, noValue, integerOutOfRange }

    private let code: Code
    /// The path of the value, such as `items[2].price`; empty for the encoded value itself.
    package let path: String

    /// NaN or an infinity, which JSON can't represent.
    public static func notFinite(at path: [any CodingKey] = []) -> Self { Self(code: .notFinite, at: path) }

    /// Nested deeper than the limit.
    public static func tooDeep(at path: [any CodingKey] = []) -> Self { Self(code: .tooDeep, at: path) }

    /// An integer beyond ±(2^53 − 1) in a free-form value.
    public static func integerOutOfRange(at path: [any CodingKey] = []) -> Self {
        Self(code: .integerOutOfRange, at: path)
    }

    /// The value's `encode(to:)` encoded nothing.
    public static func noValue(at path: [any CodingKey] = []) -> Self { Self(code: .noValue, at: path) }

    private init(code: Code, at path: [any CodingKey]) { self.init(code: code, path: CodingPath.text(path)) }

    private init(code: Code, path: String) {
        self.code = code
        self.path = path
    }

    /// The same error as seen from the value with these keys.
    func within(_ outer: [any CodingKey]) -> Self {
        outer.isEmpty ? self : Self(code: code, path: CodingPath.joined(CodingPath.text(outer), path))
    }

    /// What is wrong and where, in one sentence.
    public var description: String {
        let location = path.isEmpty ? "" : " at \(path)"
        return switch code {
        case .notFinite: "a number\(location) is NaN or infinite; JSON has neither: leave it out or send null"
        case .tooDeep: "a value\(location) is nested too deep: at most \(JSONValue.maximumDepth) levels"
        case .integerOutOfRange:
            "an integer\(location) is beyond ±(2^53 − 1), where readers round it: send it as a string"
        case .noValue: "a value\(location) encoded nothing: its encode(to:) must request a container from the encoder"
        }
    }

    /// What is wrong, without the path.
    var reason: String { Self(code: code, path: "").description }
}
