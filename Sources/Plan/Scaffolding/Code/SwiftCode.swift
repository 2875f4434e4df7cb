/// Swift source, and the same bytes with comments and string literals made blank: what is left is code. No parser: enough
/// to find declarations and pairs of brackets, and to see when it is not.
struct SwiftCode {
    /// As it is.
    let source: [UInt8]
    /// As long as the source, so that offsets are those of the source, too.
    let code: [UInt8]

    init(_ source: [UInt8]) {
        self.source = source
        var blanker = SwiftBlanker(source)
        code = blanker.blanked()
    }

    /// The line of an offset, from 1.
    func line(of offset: Int) -> Int { source[..<offset].count { $0 == UInt8(ascii: "\n") } + 1 }

    /// The words of the code and where they begin: identifiers, keywords, numbers. Without backticks.
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

    /// The offset of the bracket that closes the one at an offset; nil if brackets are not in pairs.
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

    /// The first offset from one on whose byte is neither white space nor blank.
    func skippingSpace(from offset: Int) -> Int {
        var offset = offset
        while offset < code.count, Self.isSpace(code[offset]) { offset += 1 }
        return offset
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Letters, digits, `_`, and whatever is not ASCII.
    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

/// A word of Swift code.
struct SwiftWord {
    let text: String
    /// In bytes, from the start of the file.
    let start: Int

    var end: Int { start + text.utf8.count }
}
