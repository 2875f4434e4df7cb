/// The grammar of URIs (RFC 3986, appendix A), and of IRIs (RFC 3987, section 2.2).
struct URISyntax {
    private let text: UnsafeBufferPointer<UInt8>
    /// Whether non-ASCII characters are allowed where `unreserved` is.
    private let isInternational: Bool

    init(_ text: UnsafeBufferPointer<UInt8>, international: Bool) {
        self.text = text
        isInternational = international
    }

    /// Whether the text is a URI: a scheme, and a valid rest.
    var isURI: Bool {
        guard let colon = endOfScheme else { return false }
        return isRest(from: colon + 1)
    }

    /// Whether the text is a URI, or a relative reference without a colon in its first segment.
    var isReference: Bool {
        if let colon = endOfScheme { return isRest(from: colon + 1) }
        for byte in text {
            if byte == UInt8(ascii: ":") { return false }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
        }
        return isRest(from: 0)
    }

    /// The index of the colon after a scheme.
    private var endOfScheme: Int? {
        guard let first = text.first, ASCII.isLetter(first) else { return nil }
        var location = 1
        while location < text.count {
            switch text[location] {
            case UInt8(ascii: ":"): return location
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): location += 1
            case let byte where ASCII.isLetterOrDigit(byte): location += 1
            default: return nil
            }
        }
        return nil
    }

    /// Returns whether an optional authority, path, query and fragment follow.
    private func isRest(from start: Int) -> Bool {
        var location = start
        if location + 1 < text.count, text[location] == UInt8(ascii: "/"), text[location + 1] == UInt8(ascii: "/") {
            let end = text[(location + 2)...].firstIndex(where: Self.endsAuthority) ?? text.count
            guard isAuthority(location + 2, end) else { return false }
            location = end
        }
        guard let query = end(of: .path, from: location) else { return false }
        location = query
        if location < text.count, text[location] == UInt8(ascii: "?") {
            guard let fragment = end(of: .query, from: location + 1) else { return false }
            location = fragment
        }
        if location < text.count, text[location] == UInt8(ascii: "#") {
            guard let last = end(of: .fragment, from: location + 1) else { return false }
            location = last
        }
        return location == text.count
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Returns whether the bytes are `[ userinfo "@" ] host [ ":" port ]`.
    private func isAuthority(_ start: Int, _ end: Int) -> Bool {
        var location = start
        if let at = text[start..<end].firstIndex(of: UInt8(ascii: "@")) {
            guard self.end(of: .userInfo, from: start, to: at) == at else { return false }
            location = at + 1
        }
        if location < end, text[location] == UInt8(ascii: "[") {
            guard let bracket = text[location..<end].firstIndex(of: UInt8(ascii: "]")) else { return false }
            guard isLiteral(location + 1, bracket) else { return false }
            location = bracket + 1
        } else {
            let colon = text[location..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
            guard self.end(of: .registeredName, from: location, to: colon) == colon else { return false }
            location = colon
        }
        guard location < end else { return true }
        return text[location] == UInt8(ascii: ":") && text[(location + 1)..<end].allSatisfy(ASCII.isDigit)
    }

    /// Returns whether the bytes are the content of an `IP-literal`: IPv6, or a future version.
    private func isLiteral(_ start: Int, _ end: Int) -> Bool {
        guard start < end else { return false }
        guard text[start] | 0x20 == UInt8(ascii: "v") else { return IPAddress.isVersion6(text.part(start, end)) }
        var location = start + 1
        while location < end, ASCII.isHexDigit(text[location]) { location += 1 }
        guard location > start + 1, location + 1 < end, text[location] == UInt8(ascii: ".") else { return false }
        return text[(location + 1)..<end].allSatisfy { Part.userInfo.has($0) }
    }

    /// Returns the end of a part; nil at a `%` that is not an escape.
    private func end(of part: Part, from start: Int, to limit: Int? = nil) -> Int? {
        let limit = limit ?? text.count
        var location = start
        while location < limit {
            let byte = text[location]
            if part.has(byte) {
                location += 1
            } else if byte == UInt8(ascii: "%") {
                guard location + 2 < limit, ASCII.isHexDigit(text[location + 1]), ASCII.isHexDigit(text[location + 2])
                else {
                    return nil
                }
                location += 3
            } else if byte >= 0x80, isInternational,
                let length = InternationalCharacter.length(text, location, withPrivate: part == .query)
            {
                location += length
            } else {
                return location
            }
        }
        return location
    }
}

extension URISyntax {
    /// A part of a URI, which determines the allowed characters.
    enum Part {
        case userInfo, registeredName, path, query, fragment

        /// Returns whether a character is allowed unescaped.
        @inline(__always)
        func has(_ byte: UInt8) -> Bool {
            switch byte {
            // `unreserved`
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                true
            // `sub-delims`
            case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
                UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
                UInt8(ascii: "="):
                true
            case UInt8(ascii: ":"): self != .registeredName
            case UInt8(ascii: "@"), UInt8(ascii: "/"): self == .path || self == .query || self == .fragment
            case UInt8(ascii: "?"): self == .query || self == .fragment
            default: false
            }
        }
    }
}

/// The non-ASCII characters of IRIs (RFC 3987, section 2.2).
enum InternationalCharacter {
    /// Returns the length of the `ucschar`, or of the `iprivate` if allowed, at `location`; nil for anything else.
    static func length(_ text: UnsafeBufferPointer<UInt8>, _ location: Int, withPrivate: Bool) -> Int? {
        let lead = text[location]
        let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard length > 0, location + length <= text.count else { return nil }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for next in location + 1..<location + length {
            guard text[next] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(text[next] & 0x3F)
        }
        return isUniversal(scalar) || withPrivate && isPrivate(scalar) ? length : nil
    }

    private static func isUniversal(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
        case 0xE0000...0xE0FFF: false
        // Planes 1 to 14, without the last two code points of each.
        case 0x10000...0xEFFFD: scalar & 0xFFFE != 0xFFFE
        default: false
        }
    }

    private static func isPrivate(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
        default: false
        }
    }
}
