/// A type or extension declared in a file.
struct SwiftType {
    /// `enum`, `struct`, `class`, `actor`, `protocol`, `typealias` or `extension`.
    let keyword: String
    let name: String
    /// The types that it inherits from or conforms to: all words up to the brace, including those of a `where` clause.
    let inherited: [String]
    /// The offset of the keyword.
    let start: Int
    /// The offset of the opening brace; nil if there is none, as in an alias.
    let opening: Int?
}

extension SwiftCode {
    private static let keywords: Set = ["enum", "struct", "class", "actor", "protocol", "typealias", "extension"]

    /// Returns the types that the file declares, including nested ones, in the order of the text.
    func types() -> [SwiftType] {
        let words = words()
        return words.indices.dropLast().compactMap { index in
            let keyword = words[index]
            let name = words[index + 1]
            // Only space or a backtick is between keyword and name; `class func` and `.enum` are not declarations.
            let between = code[keyword.end..<name.start]
            guard Self.keywords.contains(keyword.text), name.text != "func", name.text != "var",
                between.allSatisfy({ Self.isSpace($0) || $0 == UInt8(ascii: "`") }),
                keyword.start == 0 || !".`@#".utf8.contains(code[keyword.start - 1])
            else { return nil }
            let end = code[name.end...].firstIndex { "{};=".utf8.contains($0) }
            let opening = end.flatMap { code[$0] == UInt8(ascii: "{") ? $0 : nil }
            let inherited = opening.map { self.words(in: name.end..<$0).map(\.text) } ?? []
            return SwiftType(
                keyword: keyword.text, name: name.text, inherited: inherited, start: keyword.start, opening: opening)
        }
    }

    /// Returns the number of open brackets at an offset.
    func depth(at offset: Int) -> Int {
        code[..<offset].reduce(0) { depth, byte in
            if "([{".utf8.contains(byte) { return depth + 1 }
            return ")]}".utf8.contains(byte) ? depth - 1 : depth
        }
    }
}
