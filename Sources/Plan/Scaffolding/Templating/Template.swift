/// Text with placeholders such as `{{name}}`.
///
/// A placeholder alone on its line expands to as many lines as its value has, with the same indentation; an empty value
/// removes the line.
struct Template {
    /// The path in messages.
    let path: String
    let text: String

    private static let opening = "{{"
    private static let closing = "}}"

    /// Returns the text with each placeholder replaced by its value.
    ///
    /// - Throws: ``ScaffoldError``, `invalidTemplate`, with the location of a placeholder without a value.
    func filled(with values: [String: String]) throws(ScaffoldError) -> String {
        var lines: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let location = "\(path):\(index + 1)"
            if let name = Self.lonePlaceholder(line) {
                let value = try Self.value(of: name, in: values, at: location)
                let indent = line.prefix { $0 == " " || $0 == "\t" }
                lines += value.split(separator: "\n").map { String(indent + $0) }
            } else {
                lines.append(try Self.filled(line, with: values, at: location))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func filled(
        _ line: Substring, with values: [String: String], at location: String
    ) throws(ScaffoldError) -> String {
        var rest = line
        var filled = ""
        while let start = rest.firstRange(of: opening) {
            filled += String(rest[..<start.lowerBound])
            guard let end = rest[start.upperBound...].firstRange(of: closing) else {
                throw ScaffoldError(
                    .invalidTemplate, "\(location): unterminated placeholder '\(opening)': end it with '\(closing)'")
            }
            filled += try value(of: String(rest[start.upperBound..<end.lowerBound]), in: values, at: location)
            rest = rest[end.upperBound...]
        }
        return filled + rest
    }

    /// Returns the name in a line that contains only a placeholder and white space.
    private static func lonePlaceholder(_ line: Substring) -> String? {
        let trimmed = line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        let text = String(trimmed)
        guard text.hasPrefix(opening), text.hasSuffix(closing) else { return nil }
        let name = text.dropFirst(opening.count).dropLast(closing.count)
        return name.contains(opening) ? nil : String(name)
    }

    private static func value(
        of name: String, in values: [String: String], at location: String
    ) throws(ScaffoldError) -> String {
        guard let value = values[name] else {
            throw ScaffoldError(
                .invalidTemplate,
                "\(location): unknown placeholder {{\(name)}}: use one of \(values.keys.sorted().joined(separator: ", "))"
            )
        }
        return value
    }
}
