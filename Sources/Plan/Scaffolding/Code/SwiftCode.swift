/// Swift source, and the same bytes with comments and string literals blanked. This is not a parser: it finds
/// declarations and matching brackets, and detects when it cannot.
struct SwiftCode {
    let source: [UInt8]
    /// The blanked text. It has the same length, so offsets apply to both.
    let code: [UInt8]

    init(_ source: [UInt8]) {
        self.source = source
        var blanker = SwiftBlanker(source)
        code = blanker.blanked()
    }

    /// Returns the line of an offset, from 1.
    func line(of offset: Int) -> Int { source[..<offset].count { $0 == UInt8(ascii: "\n") } + 1 }

    /// Returns the words in the code and their offsets: identifiers without backticks, keywords and numbers.
    func words(in range: Range<Int>? = nil) -> [SwiftWord] {
        var words: [SwiftWord] = []
        let range = range ?? 0..<code.count
        var index = range.lowerBound
        while index < range.upperBound {
            let start = index
            while index < range.upperBound, Self.isWordByte(code[index]) { index += 1 }
            if index > start {
                words.append(SwiftWord(text: String(decoding: code[start..<index], as: UTF8.self), start: start))
            } else {
                index += 1
            }
        }
        return words
    }

    /// Returns the offset of the closing bracket for an opening one; nil if brackets are unbalanced.
    func closing(of opening: Int) -> Int? {
        var open: [UInt8] = []
        for index in opening..<code.count {
            switch code[index] {
            case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard open.popLast() == code[index] else { return nil }
                if open.isEmpty { return index }
            default: break
            }
        }
        return nil
    }

    /// Returns the first offset, from the given one on, that is not white space.
    func skippingSpace(from offset: Int) -> Int {
        var offset = offset
        while offset < code.count, Self.isSpace(code[offset]) { offset += 1 }
        return offset
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns whether a byte belongs to a word: letters, digits, `_` and every non-ASCII byte.
    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

struct SwiftWord {
    let text: String
    /// The offset from the start of the file, in bytes.
    let start: Int

    var end: Int { start + text.utf8.count }
}
