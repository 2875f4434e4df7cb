internal import EventModel
internal import Primitives

/// How to vary an example of a string.
enum TextExample {
    /// Use it unchanged: it is one of few values.
    case verbatim(String)
    /// Generate another value of the same field.
    case field(Field)
    /// Generate links with the same prefix.
    case link(host: String, steps: Int)

    /// Classifies an example.
    ///
    /// - Parameter field: The field derived from the member's name.
    init(_ text: String, field: Field) {
        let form = Self.form(text)
        if let start = text.firstRange(of: "://") {
            let steps = text[start.upperBound...].split(separator: "/")
            self = .link(host: "\(text[..<start.upperBound])\(steps.first ?? "example.com")", steps: steps.count - 1)
        } else if EventID(text) != nil {
            self = .field(.uuid)
        } else if EventTime(rfc3339: text) != nil {
            self = .field(.dateTime)
        } else if form == "0-0-0" {
            self = .field(.date)
        } else if form == "0.0" || form == "0.0.0" {
            self = .field(.version)
        } else if text.contains("@"), !text.contains(" ") {
            self = .field(.email)
        } else if Self.isOneOfMany(field) {
            self = .field(field)
        } else {
            self = .verbatim(text)
        }
    }

    /// Returns another text of the same kind.
    func text(_ random: inout SplitMix64, now: EventTime) -> String {
        switch self {
        case .verbatim(let text): text
        case .field(let field): Words.text(for: field, &random, now: now)
        case .link(let host, let steps): Words.link(host, steps: steps, random: &random)
        }
    }

    /// Returns the text with each run of digits replaced by 0.
    private static func form(_ text: String) -> String {
        var form = ""
        for character in text.prefix(40).unicodeScalars {
            let isDigit = ("0"..."9").contains(character)
            if !isDigit || form.unicodeScalars.last != "0" { form.unicodeScalars.append(isDigit ? "0" : character) }
        }
        return form
    }

    /// Returns whether a field has so many values that the example is not special.
    private static func isOneOfMany(_ field: Field) -> Bool {
        switch field {
        case .unknown, .word, .screen, .page, .status, .category, .tag, .identifier, .app, .device, .system, .count:
            false
        default: true
        }
    }
}
