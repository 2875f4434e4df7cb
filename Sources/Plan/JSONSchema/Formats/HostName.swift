/// Host names (RFC 1123, section 2.1): labels of letters, digits and inner hyphens.
enum HostName {
    /// Returns whether a text is a name of at most 253 bytes, with labels of at most 63 bytes, without a trailing dot.
    ///
    /// A label that starts with `xn--` must be the Punycode of a non-ASCII label (RFC 5890, section 2.3.2.1).
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !text.isEmpty, text.count <= 253 else { return false }
        var start = 0
        for location in 0..<text.count where text[location] == UInt8(ascii: ".") {
            guard isLabel(text, from: start, to: location) else { return false }
            start = location &+ 1
        }
        return isLabel(text, from: start, to: text.count)
    }

    private static func isLabel(_ text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start < end, end &- start <= 63 else { return false }
        guard text[start] != UInt8(ascii: "-"), text[end &- 1] != UInt8(ascii: "-") else { return false }
        for location in start..<end where !ASCII.isLetterOrDigit(text[location]) && text[location] != UInt8(ascii: "-")
        {
            return false
        }
        guard end &- start >= 4, text[start &+ 2] == UInt8(ascii: "-"), text[start &+ 3] == UInt8(ascii: "-"),
            text[start] | 0x20 == UInt8(ascii: "x"), text[start &+ 1] | 0x20 == UInt8(ascii: "n")
        else { return true }
        return Punycode.isInternationalLabel(text.part(start &+ 4, end))
    }
}

/// Host addresses.
enum IPAddress {
    /// Returns whether a text is four numbers up to 255 without leading zeros (RFC 2673, section 3.2; RFC 3986, section
    /// 3.2.2).
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
                // A digit after a leading zero is invalid.
                guard ASCII.isDigit(byte), digits == 0 || value > 0 else { return false }
                value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
                digits &+= 1
                guard value <= 255 else { return false }
            }
        }
        return dots == 3 && digits > 0
    }

    /// Returns whether a text is eight groups of up to four hexadecimal digits, with `::` at most once for one or more
    /// zero groups; the last two groups may be an IPv4 address (RFC 4291, section 2.2). A zone is not part of an
    /// address.
    static func isVersion6(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 2, text.count <= 45 else { return false }
        var groups = 0
        var isShortened = false
        var location = 0
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return false }
            isShortened = true
            location = 2
        }
        while location < text.count {
            let start = location
            while location < text.count, ASCII.isHexDigit(text[location]) { location &+= 1 }
            if location < text.count, text[location] == UInt8(ascii: ".") {
                guard isVersion4(text.part(start, text.count)) else { return false }
                groups &+= 2
                location = text.count
                break
            }
            guard location > start, location &- start <= 4 else { return false }
            groups &+= 1
            guard location < text.count else { break }
            guard text[location] == UInt8(ascii: ":") else { return false }
            location &+= 1
            // A colon is followed by a group or another colon.
            guard location < text.count else { return false }
            if text[location] == UInt8(ascii: ":") {
                guard !isShortened else { return false }
                isShortened = true
                location &+= 1
            }
        }
        return isShortened ? groups <= 7 : groups == 8
    }
}

/// Mail addresses (RFC 5321, section 4.1.2): `Mailbox`, ASCII only.
enum MailAddress {
    /// Returns whether a text is a local part of at most 64 bytes, `@`, and a domain or a bracketed host address.
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        guard let at = first == UInt8(ascii: "\"") ? endOfQuoted(text) : endOfAtoms(text) else { return false }
        guard at <= 64, at < text.count, text[at] == UInt8(ascii: "@") else { return false }
        let domain = text.part(at + 1, text.count)
        guard domain.first == UInt8(ascii: "[") else { return HostName.matches(domain) }
        return domain.last == UInt8(ascii: "]") && isLiteral(domain.part(1, domain.count - 1))
    }

    /// Returns the end of `Dot-string`: atoms separated by single dots.
    private static func endOfAtoms(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var location = 0
        var start = 0
        while location < text.count {
            if isAtomText(text[location]) {
                location += 1
                continue
            }
            guard location > start else { return nil }
            guard text[location] == UInt8(ascii: ".") else { return location }
            location += 1
            start = location
        }
        return nil
    }

    /// Returns the end of `Quoted-string`: visible characters and spaces, with `"` and `\` escaped by `\`.
    private static func endOfQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var location = 1
        while location < text.count {
            switch text[location] {
            case UInt8(ascii: "\""): return location + 1
            case UInt8(ascii: "\\"):
                guard location + 1 < text.count, 32...126 ~= text[location + 1] else { return nil }
                location += 2
            case 32...126: location += 1
            default: return nil
            }
        }
        return nil
    }

    /// Returns whether the bytes are an `address-literal`. `IPv6` is the only registered tag.
    private static func isLiteral(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count > 5, text[4] == UInt8(ascii: ":"), text[0] | 0x20 == UInt8(ascii: "i"),
            text[1] | 0x20 == UInt8(ascii: "p"), text[2] | 0x20 == UInt8(ascii: "v"), text[3] == UInt8(ascii: "6")
        else { return IPAddress.isVersion4(text) }
        return IPAddress.isVersion6(text.part(5, text.count))
    }

    /// Returns whether a byte is `atext` (RFC 5322, section 3.2.3).
    @inline(__always)
    private static func isAtomText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "^"),
            UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
