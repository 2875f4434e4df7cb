/// Escapes text for HTML elements and for attributes in double quotes.
package enum HTMLText {
    /// The escaped text: nothing in it is interpreted as markup.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // HTML has no representation for these.
            case _ where TextScalars.isControl(scalar): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Properties of scalars for all markup languages.
package enum TextScalars {
    /// Whether a scalar is a control character other than white space, which no page can contain.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{9}", "\u{A}", "\u{D}": false
        case "\u{0}"..."\u{1F}", "\u{7F}": true
        default: false
        }
    }
}
