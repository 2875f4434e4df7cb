/// Templates of URIs of every level (RFC 6570, section 2).
enum URITemplate {
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var place = 0
        while place < text.count {
            if text[place] == UInt8(ascii: "{") {
                guard let end = endOfExpression(text, place + 1) else { return false }
                place = end
            } else {
                guard let length = lengthOfLiteral(text, place) else { return false }
                place += length
            }
        }
        return true
    }

    /// `literals`; the single quote is one of them by erratum 6937.
    private static func lengthOfLiteral(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        switch text[place] {
        case UInt8(ascii: "%"): lengthOfEscape(text, place)
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            nil
        case ..<0x80: 1
        default: InternationalCharacter.length(text, place, withPrivate: true)
        }
    }

    /// The end of an expression, past its brace: an operator, and variables with commas between.
    private static func endOfExpression(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var place = start
        if place < text.count, isOperator(text[place]) { place += 1 }
        while let end = endOfVariable(text, place), end < text.count {
            place = end + 1
            if text[end] == UInt8(ascii: "}") { return place }
            guard text[end] == UInt8(ascii: ",") else { return nil }
        }
        return nil
    }

    /// The end of `varspec`: a name with single dots inside, then a length or a star.
    private static func endOfVariable(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var place = start
        var isAfterName = false
        while place < text.count {
            let byte = text[place]
            if ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") {
                place += 1
                isAfterName = true
            } else if byte == UInt8(ascii: "%") {
                guard let length = lengthOfEscape(text, place) else { return nil }
                place += length
                isAfterName = true
            } else if byte == UInt8(ascii: "."), isAfterName {
                place += 1
                isAfterName = false
            } else {
                break
            }
        }
        guard isAfterName, place < text.count else { return nil }
        switch text[place] {
        case UInt8(ascii: "*"): return place + 1
        case UInt8(ascii: ":"): return endOfLength(text, place + 1)
        default: return place
        }
    }

    /// The end of `max-length`: a number from 1 to 9999.
    private static func endOfLength(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var place = start
        while place < text.count, ASCII.isDigit(text[place]) { place += 1 }
        return place > start && place - start <= 4 && text[start] != UInt8(ascii: "0") ? place : nil
    }

    private static func lengthOfEscape(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        place + 2 < text.count && ASCII.isHexDigit(text[place + 1]) && ASCII.isHexDigit(text[place + 2]) ? 3 : nil
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
