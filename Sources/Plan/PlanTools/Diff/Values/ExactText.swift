/// A string that equals another only if both have the same characters in Unicode's numbers: JSON knows no canonical
/// equivalence, Swift's `String` does.
struct ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral text: String) { self.text = text }

    var description: String { text }

    /// The length as `minLength` and `maxLength` count it.
    var length: Int { text.unicodeScalars.count }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xFF))
    }
}
