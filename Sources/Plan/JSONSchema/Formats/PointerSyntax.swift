/// The syntax of JSON pointers.
enum PointerSyntax {
    /// A pointer of RFC 6901: empty or from `/` on, with `~` only as `~0` and `~1`.
    static func isPointer(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        var isEscape = false
        for byte in text {
            if isEscape, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return false }
            isEscape = byte == UInt8(ascii: "~")
        }
        return !isEscape
    }

    /// A relative pointer (draft-bhutton-relative-json-pointer-00, section 3): how far up, how far on within an
    /// array, then `#` or a pointer. The examples of the draft show `0-1#`, which its grammar leaves out.
    static func isRelativePointer(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var place = endOfNumber(text, 0) else { return false }
        if place < text.count, text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-") {
            guard let end = endOfNumber(text, place + 1) else { return false }
            place = end
        }
        if place == text.count - 1, text[place] == UInt8(ascii: "#") { return true }
        return isPointer(text.part(place, text.count))
    }

    /// The end of a number without leading zeros; nil if there is none.
    private static func endOfNumber(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var place = start
        while place < text.count, ASCII.isDigit(text[place]) { place += 1 }
        guard place > start, place == start + 1 || text[start] != UInt8(ascii: "0") else { return nil }
        return place
    }
}
