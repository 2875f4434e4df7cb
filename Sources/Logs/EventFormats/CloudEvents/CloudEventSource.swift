internal import JSONSchema

/// The attribute `source`: `/installs/90C5359B-8311-4221-94E1-921140C5353C`.
enum CloudEventSource {
    /// The prefix of the install's id.
    static let prefix = "/installs/"

    /// The source of an install: its id, with all but unreserved characters percent-encoded (RFC 3986, section 2).
    static func source(installID: UnsafeBufferPointer<UInt8>) -> String {
        var text = Array(prefix.utf8)
        for byte in installID {
            if isUnreserved(byte) {
                text.append(byte)
            } else {
                text.append(contentsOf: [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The install of a source: its id, or the whole source if another system created it. Nil if the id is empty.
    static func installID(source: UnsafeBufferPointer<UInt8>) -> String? {
        guard source.starts(with: prefix.utf8) else { return String(decoding: source, as: UTF8.self) }
        var text: [UInt8] = []
        var index = prefix.utf8.count
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = HexDigit.value(source[index + 1]), let low = HexDigit.value(source[index + 2])
            {
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(source[index])
                index += 1
            }
        }
        return text.isEmpty ? nil : String(validating: text, as: UTF8.self) ?? String(decoding: source, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// The attribute `dataschema`: `https://schemas.swift-tracking.dev/events/search/1-0-0.json`.
enum CloudEventSchema {
    private static let suffix = ".json"

    /// The URL of `search/1-0-0`; nil unless the text is a name and a version in URL-safe characters.
    static func url(of schema: UnsafeBufferPointer<UInt8>, base: String) -> String? {
        guard isNameAndVersion(schema[...]) else { return nil }
        return base + String(decoding: schema, as: UTF8.self) + suffix
    }

    /// The schema at a URL, `search/1-0-0`, with any base; nil if the URL does not end with a schema.
    static func schema(of url: UnsafeBufferPointer<UInt8>) -> String? {
        let end = url.count - suffix.utf8.count
        guard end > 0, url[end...].elementsEqual(suffix.utf8) else { return nil }
        let path = url[..<end]
        guard let version = path.lastIndex(of: UInt8(ascii: "/")),
            let name = path[..<version].lastIndex(of: UInt8(ascii: "/")), isNameAndVersion(path[(name + 1)...])
        else { return nil }
        return String(decoding: path[(name + 1)...], as: UTF8.self)
    }

    /// Whether a text is two words separated by a slash.
    private static func isNameAndVersion(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return false }
        return isWord(text[..<slash]) && isWord(text[(slash + 1)...])
    }

    private static func isWord(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
