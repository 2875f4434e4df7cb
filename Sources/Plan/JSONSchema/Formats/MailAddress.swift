/// Addresses of mailboxes (RFC 5321, section 4.1.2): `Mailbox`, ASCII only.
enum MailAddress {
    /// Whether a text is a local part of at most 64 bytes, `@`, and a domain or the address of a host in brackets.
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        guard let at = first == UInt8(ascii: "\"") ? endOfQuoted(text) : endOfAtoms(text) else { return false }
        guard at <= 64, at < text.count, text[at] == UInt8(ascii: "@") else { return false }
        let domain = text.part(at + 1, text.count)
        guard domain.first == UInt8(ascii: "[") else { return HostName.matches(domain) }
        return domain.last == UInt8(ascii: "]") && isLiteral(domain.part(1, domain.count - 1))
    }

    /// The end of `Dot-string`: atoms with single dots between.
    private static func endOfAtoms(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 0
        var start = 0
        while place < text.count {
            if isAtomText(text[place]) {
                place += 1
                continue
            }
            guard place > start else { return nil }
            guard text[place] == UInt8(ascii: ".") else { return place }
            place += 1
            start = place
        }
        return nil
    }

    /// The end of `Quoted-string`: visible characters and spaces, `"` and `\` behind a `\`.
    private static func endOfQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 1
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"):
                guard place + 1 < text.count, 32...126 ~= text[place + 1] else { return nil }
                place += 2
            case 32...126: place += 1
            default: return nil
            }
        }
        return nil
    }

    /// `address-literal`; `IPv6` is the only tag that is registered.
    private static func isLiteral(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count > 5, text[4] == UInt8(ascii: ":"), text[0] | 0x20 == UInt8(ascii: "i"),
            text[1] | 0x20 == UInt8(ascii: "p"), text[2] | 0x20 == UInt8(ascii: "v"), text[3] == UInt8(ascii: "6")
        else { return IPAddress.isVersion4(text) }
        return IPAddress.isVersion6(text.part(5, text.count))
    }

    /// `atext` (RFC 5322, section 3.2.3).
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
