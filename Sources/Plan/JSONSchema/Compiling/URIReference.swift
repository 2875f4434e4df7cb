internal import Primitives

/// A URI or relative reference in its parts, and its resolution against a base (RFC 3986, sections 3 to 5).
struct URIReference: Hashable, Sendable, CustomStringConvertible {
    /// The part before the first colon; nil for a relative reference.
    var scheme: String?
    /// The part after `//`.
    var authority: String?
    /// The remaining part; for `urn:a:b` it is `a:b`.
    var path: String
    /// The part after `?`, possibly empty.
    var query: String?
    /// The part after `#`, possibly empty, percent-encoded.
    var fragment: String?

    /// Splits a text as in RFC 3986, appendix B. Every text has parts, even with invalid characters.
    init(_ text: String) {
        var rest = text[...]
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(rest[rest.utf8.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[rest.utf8.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = Self.endOfScheme(rest.utf8) {
            scheme = String(rest[..<colon])
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// Resolves the reference against a base (section 5.2), keeping its own fragment.
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    if query == nil { target.query = base.query }
                    return target
                }
                if path.utf8.first != UInt8(ascii: "/") { target.path = base.path(withLast: path) }
            }
        }
        target.path = Self.withoutDotSegments(target.path)
        return target
    }

    /// The text without `#` and the fragment.
    var withoutFragment: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority {
            text += "//" + authority
        } else if path.utf8.starts(with: "//".utf8) {
            // Without this prefix the first segment would be parsed as an authority.
            text += "/."
        }
        text += path
        if let query { text += "?" + query }
        return text
    }

    /// The complete text (section 5.3).
    var description: String { fragment.map { withoutFragment + "#" + $0 } ?? withoutFragment }

    /// The percent-decoded fragment; nil if there is none, or it is invalid.
    var decodedFragment: String? { fragment.flatMap(Self.decode) }

    /// Decodes percent-encoding (section 2.1); returns nil for a `%` without two digits, and for bytes that are not
    /// UTF-8.
    static func decode(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(HexDigit.value), let low = rest.next().flatMap(HexDigit.value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validUTF8: bytes)
    }

    /// Encodes a text for a fragment: bytes that a fragment does not allow are percent-encoded (section 3.5).
    static func encodedFragment(_ text: String) -> String {
        if text.utf8.allSatisfy(isFragmentByte) { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isFragmentByte(byte) {
                encoded.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isFragmentByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
    }

    private static func endOfScheme(_ text: Substring.UTF8View) -> String.Index? {
        guard let first = text.first, ASCII.isLetter(first) else { return nil }
        let end = text.firstIndex { byte in
            let isMark = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            return !isMark && !ASCII.isLetterOrDigit(byte)
        }
        guard let end, text[end] == UInt8(ascii: ":") else { return nil }
        return end
    }

    /// Returns the path with its last segment replaced (section 5.2.3).
    private func path(withLast last: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return authority == nil ? last : "/" + last
        }
        return path[...slash] + last
    }

    /// Returns the path with the segments `.` and `..` resolved (section 5.2.4).
    static func withoutDotSegments(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        var segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        var isRooted = path.utf8.first == UInt8(ascii: "/")
        if isRooted { segments.removeFirst() }
        var kept: [Substring] = []
        let here = ".".utf8
        let up = "..".utf8
        for (number, segment) in segments.enumerated() {
            let isLast = number == segments.count - 1
            if segment.elementsEqual(here) || segment.elementsEqual(up) {
                // The part after the first segment is rooted: `a/../b` becomes `/b`.
                if segment.count == 2, kept.popLast() != nil, kept.isEmpty { isRooted = true }
                // A folder keeps its trailing slash.
                if isLast { kept.append("") }
            } else {
                kept.append(Substring(segment))
            }
        }
        return (isRooted ? "/" : "") + kept.joined(separator: "/")
    }
}
