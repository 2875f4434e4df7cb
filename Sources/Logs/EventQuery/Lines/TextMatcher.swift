internal import Foundation

/// Matches a text exactly, or with a pattern: `*` matches any text, `?` any character, and `\` escapes either.
///
/// Compares UTF-8 bytes, without Unicode normalization.
package struct TextMatcher: Sendable, Hashable {
    private enum Part: Hashable, Sendable {
        case text([UInt8])
        case anyCharacter
        case anyText
    }

    /// The pattern as written.
    package let source: String
    private let parts: [Part]
    /// The only text that matches; nil for a pattern.
    package let exact: [UInt8]?

    /// Parses a pattern. Every text is valid.
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

    /// The pattern in the syntax of SQLite's `GLOB`.
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

    /// Whether a JSON text with escapes matches.
    @inline(__always)
    func matches(escaped text: UnsafeRawBufferPointer) -> Bool {
        if let exact { return JSONText.isText(text, exact) }
        return JSONText.withBytes(text) { matches($0) } ?? false
    }

    /// Whether UTF-8 bytes match.
    package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        if let exact { return JSONText.areEqual(text, exact) }
        // Only the last `*` may need to match more: everything before it has matched.
        var part = 0
        var at = 0
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
            part = last.part
            at = last.at + Self.characterLength(text, last.at)
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

    /// The length of the scalar at an offset, in UTF-8 bytes.
    private static func characterLength(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int {
        var length = 1
        while at + length < text.count, text[at + length] & 0xC0 == 0x80 { length += 1 }
        return length
    }
}
