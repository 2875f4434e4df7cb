/// The form of names that a plan's properties have.
package enum PropertyName {
    /// In bytes.
    package static let maximumLength = 64

    /// Whether a name is snake_case: `a-z`, `0-9`, single underscores between, a letter first.
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
