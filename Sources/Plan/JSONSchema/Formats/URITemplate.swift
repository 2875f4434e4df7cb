/// URI templates of every level (RFC 6570, section 2).
enum URITemplate {
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var location = 0
        while location < text.count {
            if text[location] == UInt8(ascii: "{") {
                guard let end = endOfExpression(text, location + 1) else { return false }
                location = end
            } else {
                guard let length = lengthOfLiteral(text, location) else { return false }
                location += length
            }
        }
        return true
    }

    /// Returns the length of `literals`. By erratum 6937, the single quote is a literal.
    private static func lengthOfLiteral(_ text: UnsafeBufferPointer<UInt8>, _ location: Int) -> Int? {
        switch text[location] {
        case UInt8(ascii: "%"): lengthOfEscape(text, location)
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            nil
        case ..<0x80: 1
        default: InternationalCharacter.length(text, location, withPrivate: true)
        }
    }

    /// Returns the end of an expression after its brace: an operator, and variables separated by commas.
    private static func endOfExpression(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var location = start
        if location < text.count, isOperator(text[location]) { location += 1 }
        while let end = endOfVariable(text, location), end < text.count {
            location = end + 1
            if text[end] == UInt8(ascii: "}") { return location }
            guard text[end] == UInt8(ascii: ",") else { return nil }
        }
        return nil
    }

    /// Returns the end of `varspec`: a name with single dots inside, then a length or an asterisk.
    private static func endOfVariable(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var location = start
        var isAfterName = false
        while location < text.count {
            let byte = text[location]
            if ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") {
                location += 1
                isAfterName = true
            } else if byte == UInt8(ascii: "%") {
                guard let length = lengthOfEscape(text, location) else { return nil }
                location += length
                isAfterName = true
            } else if byte == UInt8(ascii: "."), isAfterName {
                location += 1
                isAfterName = false
            } else {
                break
            }
        }
        guard isAfterName, location < text.count else { return nil }
        switch text[location] {
        case UInt8(ascii: "*"): return location + 1
        case UInt8(ascii: ":"): return endOfLength(text, location + 1)
        default: return location
        }
    }

    /// Returns the end of `max-length`: a number from 1 to 9999.
    private static func endOfLength(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var location = start
        while location < text.count, ASCII.isDigit(text[location]) { location += 1 }
        return location > start && location - start <= 4 && text[start] != UInt8(ascii: "0") ? location : nil
    }

    private static func lengthOfEscape(_ text: UnsafeBufferPointer<UInt8>, _ location: Int) -> Int? {
        location + 2 < text.count && ASCII.isHexDigit(text[location + 1]) && ASCII.isHexDigit(text[location + 2])
            ? 3 : nil
    }

    private static func isOperator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ";"),
            UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "!"),
            UInt8(ascii: "@"), UInt8(ascii: "|"):
            true
        default: false
        }
    }
}
