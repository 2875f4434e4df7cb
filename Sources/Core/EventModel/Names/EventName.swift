/// The format of event names on the wire.
package enum EventName {
    /// The maximum length in bytes.
    package static let maximumLength = 64

    /// Whether a name is kebab-case: `a-z`, `0-9`, single hyphens, starting with a letter.
    package static func isValid(_ name: String) -> Bool {
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

/// The format of a plan's property names.
package enum PropertyName {
    /// The maximum length in bytes.
    package static let maximumLength = 64

    /// Whether a name is snake_case: `a-z`, `0-9`, single underscores, starting with a letter.
    package static func isValid(_ name: String) -> Bool {
        let words = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        let isPlain = words.allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy {
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                }
        }
        return isPlain && name.first?.isNumber == false && name.utf8.count <= maximumLength
    }
}
