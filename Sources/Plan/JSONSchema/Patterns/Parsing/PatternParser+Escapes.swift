extension PatternParser {
    /// Reads the rest of an escape that denotes a set, or returns nil if it denotes a character.
    mutating func readSetEscape(from start: Int) throws(PatternSyntaxError) -> ScalarSet? {
        if text.consume("d") { return .digit }
        if text.consume("D") { return ScalarSet.digit.inverted }
        if text.consume("w") { return .word }
        if text.consume("W") { return ScalarSet.word.inverted }
        if text.consume("s") { return .space }
        if text.consume("S") { return ScalarSet.space.inverted }
        if text.consume("p") { return try readProperty(from: start) }
        if text.consume("P") {
            let set = try readProperty(from: start)
            return makesTree ? set.inverted : set
        }
        return nil
    }

    /// Reads the rest of an escape that denotes one character.
    mutating func readCharacterEscape(from start: Int) throws(PatternSyntaxError) -> UInt32 {
        guard let value = text.scalar(), let scalar = Unicode.Scalar(value) else {
            throw text.issue("the backslash must be followed by a character", at: start)
        }
        switch scalar {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "0":
            if let byte = text.peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                throw text.issue("octal escapes are not allowed", at: start)
            }
            return 0
        case "c":
            guard let letter = text.peek(), Unicode.Scalar(letter).properties.isAlphabetic, letter < 0x80 else {
                throw text.issue("\\c must be followed by a letter", at: start)
            }
            text.skip()
            return UInt32(letter & 0x1F)
        case "x":
            guard let value = text.hexadecimal(2) else {
                throw text.issue("\\x must be followed by two hexadecimal digits", at: start)
            }
            return value
        case "u": return try readUnicodeEscape(from: start)
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return value
        default: throw text.issue("unknown escape", at: start)
        }
    }

    /// Reads the rest of `\u`: four digits, a pair of such escapes, or digits in braces.
    mutating func readUnicodeEscape(from start: Int) throws(PatternSyntaxError) -> UInt32 {
        if text.consume("{") { return try readBracedNumber(from: start) }
        guard let value = text.hexadecimal(4) else {
            throw text.issue("\\u must be followed by four hexadecimal digits", at: start)
        }
        guard value >> 10 == 0xD800 >> 10 else { return value }
        let afterFirst = text.offset
        if text.consume("\\u"), let second = text.hexadecimal(4), second >> 10 == 0xDC00 >> 10 {
            return 0x10000 + (value & 0x3FF) << 10 + second & 0x3FF
        }
        text.goBack(to: afterFirst)
        return value
    }

    private mutating func readBracedNumber(from start: Int) throws(PatternSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        var isEmpty = true
        while let digit = text.hexadecimal(1) {
            isEmpty = false
            value = value << 4 | digit
            if value > ScalarSet.last { throw text.issue("code point out of range", at: start) }
        }
        guard !isEmpty, text.consume("}") else {
            throw text.issue("\\u{ must be followed by hexadecimal digits and a brace", at: start)
        }
        return value
    }

    /// Reads the rest of `\p`: a property's name in braces, or a property and its value.
    private mutating func readProperty(from start: Int) throws(PatternSyntaxError) -> ScalarSet {
        guard text.consume("{") else { throw text.issue("\\p must be followed by a property in braces", at: start) }
        let name = readPropertyWord()
        let value: String? = text.consume("=") ? readPropertyWord() : nil
        guard text.consume("}") else { throw text.issue("unterminated property", at: start) }
        if !makesTree, ScalarProperty.exists(name, value: value) { return .digit }
        guard makesTree, let set = ScalarProperty.set(name, value: value) else {
            throw text.issue("unknown property", at: start)
        }
        return set
    }

    private mutating func readPropertyWord() -> String {
        var word = ""
        while let byte = text.peek(), TextEdge(UInt32(byte)) == .word {
            word.unicodeScalars.append(Unicode.Scalar(byte))
            text.skip()
        }
        return word
    }
}

extension PatternParser {
    /// Reads a class after its opening bracket.
    mutating func readClass(from start: Int) throws(PatternSyntaxError) -> ScalarSet {
        let isNegated = text.consume("^")
        var parts = ScalarSet.Collector()
        while !text.consume("]") {
            let memberStart = text.offset
            let member = try readClassMember(from: start)
            guard text.peek() == UInt8(ascii: "-"), text.peek(1) != UInt8(ascii: "]"), text.peek(1) != nil else {
                if makesTree { parts.add(member.ranges) }
                continue
            }
            text.skip()
            let end = try readClassMember(from: start)
            guard case .character(let first) = member, case .character(let last) = end else {
                throw text.issue("the ends of a range must be characters", at: memberStart)
            }
            if first > last { throw text.issue("the ends of a range must ascend", at: memberStart) }
            if makesTree { parts.add([first...last]) }
        }
        let set = parts.set
        return isNegated ? set.inverted : set
    }

    private enum ClassMember {
        case character(UInt32)
        case set(ScalarSet)

        var ranges: [ClosedRange<UInt32>] {
            switch self {
            case .character(let value): [value...value]
            case .set(let set): set.ranges
            }
        }
    }

    private mutating func readClassMember(from classStart: Int) throws(PatternSyntaxError) -> ClassMember {
        let start = text.offset
        guard let scalar = text.scalar() else { throw text.issue("unterminated class", at: classStart) }
        guard scalar == 0x5C else { return .character(scalar) }
        if text.consume("b") { return .character(0x08) }
        if text.consume("-") { return .character(0x2D) }
        if let set = try readSetEscape(from: start) { return .set(set) }
        return .character(try readCharacterEscape(from: start))
    }
}
