/// Text in HTML, in elements and in attributes with double quotes.
enum HTMLText {
    /// The text, so that nothing in it is taken for markup.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // HTML has no form for these at all.
            case _ where TextScalars.isControl(scalar): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// JSON with a colour for each kind of token.
    static func highlighted(_ printer: JSONPrinter) -> String {
        printer.tokens.map { token in
            let text = escape(token.text)
            return switch token.kind {
            case .name: "<b>\(text)</b>"
            case .string: "<i class=\"s\">\(text)</i>"
            case .number: "<i class=\"n\">\(text)</i>"
            case .literal: "<i class=\"l\">\(text)</i>"
            case .mark: text
            }
        }.joined()
    }
}
