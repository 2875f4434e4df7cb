internal import Foundation

/// A text, or a pattern of one: `*` stands for any text, `?` for any one character, `\` before either for itself.
///
/// Bytes of UTF-8 are compared: two texts that Unicode calls equivalent are two.
package struct TextMatcher: Sendable, Hashable {
    private enum Part: Hashable, Sendable {
        case text([UInt8])
        case anyCharacter
        case anyText
    }

    /// The pattern as it was written.
    package let source: String
    private let parts: [Part]
    /// What it stands for, if that is one text.
    package let exact: [UInt8]?

    /// Reads a pattern. Every text is one.
    package init(glob source: String) {
        self.source = source
        var parts: [Part] = []
        var text: [UInt8] = []
        func endText() {
            if !text.isEmpty { parts.append(.text(text)) }
            text = []
        }
        var bytes = Array(source.utf8)[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                endText()
                if parts.last != .anyText { parts.append(.anyText) }
            case UInt8(ascii: "?"):
                endText()
                parts.append(.anyCharacter)
            case UInt8(ascii: "\\"): text.append(bytes.popFirst() ?? byte)
            default: text.append(byte)
            }
        }
        endText()
        self.parts = parts
        exact = parts.isEmpty ? [] : Self.onlyText(parts)
    }

    /// One text, whatever characters it has.
    package init(exactly text: String) {
        source = text
        let bytes = Array(text.utf8)
        parts = [.text(bytes)]
        exact = bytes
    }

    private static func onlyText(_ parts: [Part]) -> [UInt8]? {
        guard parts.count == 1, case .text(let bytes) = parts[0] else { return nil }
        return bytes
    }

    /// The same for SQLite's operator `GLOB`.
    var sqliteGlob: String {
        parts.map { part in
            switch part {
            case .text(let bytes):
                String(decoding: bytes, as: UTF8.self).map { "*?[".contains($0) ? "[\($0)]" : String($0) }.joined()
            case .anyCharacter: "?"
            case .anyText: "*"
            }
        }.joined()
    }

    /// Whether a text of JSON, with its escapes, matches.
    @inline(__always)
    func matches(escaped text: UnsafeRawBufferPointer) -> Bool {
        if let exact { return JSONText.isText(text, exact) }
        return JSONText.withBytes(text) { matches($0) } ?? false
    }

    /// Whether these bytes of UTF-8 match.
    package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        if let exact { return JSONText.areEqual(text, exact) }
        // The last `*` is the only one whose length can need to change: what stands before it has matched already.
        var (part, at) = (0, 0)
        var retry: (part: Int, at: Int)?
        while true {
            if part == parts.count {
                if at == text.count { return true }
            } else if parts[part] == .anyText {
                retry = (part + 1, at)
                part += 1
                continue
            } else if let length = Self.length(of: parts[part], in: text, at: at) {
                part += 1
                at += length
                continue
            }
            guard let last = retry, last.at < text.count else { return false }
            retry = (last.part, last.at + Self.characterLength(text, last.at))
            (part, at) = (last.part, last.at + Self.characterLength(text, last.at))
        }
    }

    private static func length(of part: Part, in text: UnsafeRawBufferPointer, at: Int) -> Int? {
        switch part {
        case .text(let bytes):
            guard text.count - at >= bytes.count else { return nil }
            return JSONText.areEqual(UnsafeRawBufferPointer(rebasing: text[at..<at + bytes.count]), bytes)
                ? bytes.count : nil
        case .anyCharacter: return at < text.count ? characterLength(text, at) : nil
        case .anyText: return 0
        }
    }

    /// How many bytes of UTF-8 the scalar at a place has.
    private static func characterLength(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int {
        var length = 1
        while at + length < text.count, text[at + length] & 0xC0 == 0x80 { length += 1 }
        return length
    }
}
