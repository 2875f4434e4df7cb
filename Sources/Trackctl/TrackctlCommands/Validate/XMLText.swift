/// Writes XML 1.0.
struct XMLText {
    private(set) var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    private var open: [String] = []

    private var indent: String { String(repeating: "  ", count: open.count) }

    /// Writes an element around what `body` writes.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], _ body: (inout XMLText) -> Void
    ) {
        lines.append("\(indent)<\(name)\(Self.text(attributes))>")
        open.append(name)
        body(&self)
        open.removeLast()
        lines.append("\(indent)</\(name)>")
    }

    /// Writes an element with text; without any, an empty one.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], text: String = "") {
        let start = "\(indent)<\(name)\(Self.text(attributes))"
        lines.append(text.isEmpty ? "\(start)/>" : "\(start)>\(Self.escape(text))</\(name)>")
    }

    private static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { #" \#($0)="\#(escape($1))""# }.joined()
    }

    /// Text that stands for itself, in an element or between double quotes. What XML cannot hold becomes U+FFFD.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...: String(scalar)
            case "\t", "\r": "&#\(scalar.value);"
            default: "\u{FFFD}"
            }
        }.joined()
    }
}
