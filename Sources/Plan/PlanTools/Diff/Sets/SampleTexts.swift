/// Strings to try where any string of some length would do.
enum SampleTexts {
    /// Lengths past this are not tried: the witness would be larger than any event.
    private static let longest = 1 << 20

    private static let short: [ExactText] = ["a", "", "b", "A", "1", "a1", "a-b", "é", " ", "\n"]

    /// A value of each format, and things beside them.
    private static let formats: [ExactText] = [
        "2018-09-12", "2018-09-12T22:00:00Z", "22:00:00Z", "P1D", "a@example.com", "example.com", "127.0.0.1", "::1",
        "https://example.com/a", "/a", "0", "1-0-0", "a/1-0-0", "00000000-0000-4000-8000-000000000000", "{a}", "%", "(",
    ]

    /// Strings of a length, plain ones first; the schemas' own come before ours.
    static func candidates(_ minimum: Int, _ maximum: Int?, _ hints: [ExactText], _ count: Int) -> [ExactText] {
        guard minimum <= longest else { return [] }
        let counted = (0..<count).map { ExactText("a\($0)") }
        let plain = short.prefix(1) + hints + short.dropFirst() + formats + counted
        return plain.map { text in
            let length = text.length
            if length < minimum { return padded(text, by: minimum - length) }
            if let maximum, length > maximum, maximum <= longest {
                return ExactText(String(String.UnicodeScalarView(text.text.unicodeScalars.prefix(maximum))))
            }
            return text
        }
    }

    private static func padded(_ text: ExactText, by count: Int) -> ExactText {
        ExactText(text.text + String(repeating: "a", count: count))
    }
}
