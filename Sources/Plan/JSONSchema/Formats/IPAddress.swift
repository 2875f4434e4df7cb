/// Addresses of hosts.
enum IPAddress {
    /// Four numbers up to 255 without leading zeros (RFC 2673, section 3.2; RFC 3986, section 3.2.2).
    static func isVersion4(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 7, text.count <= 15 else { return false }
        var value = 0
        var digits = 0
        var dots = 0
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                dots &+= 1
                value = 0
                digits = 0
            } else {
                // A digit after a leading zero is one too many.
                guard ASCII.isDigit(byte), digits == 0 || value > 0 else { return false }
                value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
                digits &+= 1
                guard value <= 255 else { return false }
            }
        }
        return dots == 3 && digits > 0
    }

    /// Eight groups of up to four hexadecimal digits, `::` once for one group of zeros or more, the last two also as
    /// an address of version 4 (RFC 4291, section 2.2). A zone is not part of an address.
    static func isVersion6(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 2, text.count <= 45 else { return false }
        var groups = 0
        var isShortened = false
        var place = 0
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return false }
            isShortened = true
            place = 2
        }
        while place < text.count {
            let start = place
            while place < text.count, ASCII.isHexDigit(text[place]) { place &+= 1 }
            if place < text.count, text[place] == UInt8(ascii: ".") {
                guard isVersion4(text.part(start, text.count)) else { return false }
                groups &+= 2
                place = text.count
                break
            }
            guard place > start, place &- start <= 4 else { return false }
            groups &+= 1
            guard place < text.count else { break }
            guard text[place] == UInt8(ascii: ":") else { return false }
            place &+= 1
            // A colon leads on to a group or to another colon.
            guard place < text.count else { return false }
            if text[place] == UInt8(ascii: ":") {
                guard !isShortened else { return false }
                isShortened = true
                place &+= 1
            }
        }
        return isShortened ? groups <= 7 : groups == 8
    }
}
