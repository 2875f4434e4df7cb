/// A type or an extension that a file declares.
struct SwiftType {
    /// `enum`, `struct`, `class`, `actor`, `protocol`, `typealias` or `extension`.
    let keyword: String
    let name: String
    /// What it inherits or conforms to: the words up to the brace, those of a `where` clause too.
    let inherited: [String]
    /// Where its keyword begins.
    let start: Int
    /// The offset of its opening brace; nil if it has none, such as an alias.
    let opening: Int?
}

extension SwiftCode {
    private static let keywords: Set = ["enum", "struct", "class", "actor", "protocol", "typealias", "extension"]

    /// The types that the file declares, nested ones too, in their order.
    func types() -> [SwiftType] {
        let words = words()
        return words.indices.dropLast().compactMap { index in
            let (keyword, name) = (words[index], words[index + 1])
            // Between keyword and name stands only space, or a backtick: `class func` and `.enum` are something else.
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

    /// How many brackets are open at an offset.
    func depth(at offset: Int) -> Int {
        code[..<offset].reduce(0) { depth, byte in
            if "([{".utf8.contains(byte) { return depth + 1 }
            return ")]}".utf8.contains(byte) ? depth - 1 : depth
        }
    }
}
