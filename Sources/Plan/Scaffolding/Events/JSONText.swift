internal import JSONLines

/// JSON that stands within a template.
enum JSONText {
    /// A text in quotes.
    static func string(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// An array of texts on one line.
    static func array(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ", "))]" }
}
