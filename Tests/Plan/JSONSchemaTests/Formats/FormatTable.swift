import Testing

@testable import JSONSchema

/// Texts, and whether they have a format.
struct FormatTable: Sendable, CustomTestStringConvertible {
    let format: StringFormat
    let good: [String]
    let bad: [String]

    var testDescription: String { "\(format)" }

    static func accepts(_ format: StringFormat, _ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { format.accepts($0) }
    }

    /// The texts with a wrong result.
    var misjudged: [String] {
        good.filter { !Self.accepts(format, $0) }.map { "refused: " + $0 }
            + bad.filter { Self.accepts(format, $0) }.map { "accepted: " + $0 }
    }
}
