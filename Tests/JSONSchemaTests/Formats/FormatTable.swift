@testable import JSONSchema

/// A text, and whether it has a format.
struct FormatTable: Sendable {
    let format: StringFormat
    let good: [String]
    let bad: [String]

    static func accepts(_ format: StringFormat, _ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { format.accepts($0) }
    }

    /// The texts that are judged wrongly.
    var misjudged: [String] {
        good.filter { !Self.accepts(format, $0) }.map { "refused: " + $0 }
            + bad.filter { Self.accepts(format, $0) }.map { "accepted: " + $0 }
    }
}
