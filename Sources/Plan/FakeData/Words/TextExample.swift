internal import EventModel
internal import Primitives

/// What an example of a text is an example of.
enum TextExample {
    /// It is one of few, and is taken as it is.
    case verbatim(String)
    /// Others of the same field are as good.
    case field(Field)
    /// Links with the same beginning are as good.
    case link(host: String, steps: Int)

    /// Looks at an example.
    ///
    /// - Parameter field: What the name of its member says.
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

    /// Another text of the kind.
    func text(_ random: inout SplitMix64, now: EventTime) -> String {
        switch self {
        case .verbatim(let text): text
        case .field(let field): Words.text(for: field, &random, now: now)
        case .link(let host, let steps): Words.link(host, steps, &random)
        }
    }

    /// Runs of digits as one 0, everything else as it is.
    private static func form(_ text: String) -> String {
        var form = ""
        for character in text.prefix(40).unicodeScalars {
            let isDigit = ("0"..."9").contains(character)
            if !isDigit || form.unicodeScalars.last != "0" { form.unicodeScalars.append(isDigit ? "0" : character) }
        }
        return form
    }

    /// Whether there are so many texts of a field that an example is no more than that.
    private static func isOneOfMany(_ field: Field) -> Bool {
        switch field {
        case .unknown, .word, .screen, .page, .status, .category, .tag, .identifier, .app, .device, .system, .count:
            false
        default: true
        }
    }
}
