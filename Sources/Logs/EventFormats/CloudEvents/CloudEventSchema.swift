/// The attribute `dataschema`: `https://schemas.swift-tracking.dev/events/search/1-0-0.json`.
enum CloudEventSchema {
    private static let suffix = ".json"

    /// The address of `search/1-0-0`; nil if that is no name and version that can stand in an address.
    static func url(of schema: UnsafeBufferPointer<UInt8>, base: String) -> String? {
        guard isNameAndVersion(schema[...]) else { return nil }
        return base + String(decoding: schema, as: UTF8.self) + suffix
    }

    /// The schema at an address, `search/1-0-0`, whatever the base; nil if it does not end like one.
    static func schema(of url: UnsafeBufferPointer<UInt8>) -> String? {
        let end = url.count - suffix.utf8.count
        guard end > 0, url[end...].elementsEqual(suffix.utf8) else { return nil }
        let path = url[..<end]
        guard let version = path.lastIndex(of: UInt8(ascii: "/")),
            let name = path[..<version].lastIndex(of: UInt8(ascii: "/")), isNameAndVersion(path[(name + 1)...])
        else { return nil }
        return String(decoding: path[(name + 1)...], as: UTF8.self)
    }

    /// Whether a text is two words with a slash between them.
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
