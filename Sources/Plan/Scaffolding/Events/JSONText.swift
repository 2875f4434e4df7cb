internal import JSONLines

/// JSON text for templates.
enum JSONText {
    /// Returns a quoted and escaped string.
    static func string(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns an array of strings on one line.
    static func array(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ", "))]" }
}
