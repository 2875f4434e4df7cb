/// Every rule: what the comparison of two schemas can find.
package enum ChangeRules {
    /// In the order of the documentation.
    package static let all: [ChangeRule] =
        types + objects + members + values + numbers + strings + arrays + combined + notes

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The rule of that name.
    package static func rule(_ id: String) -> ChangeRule? { byID[id] }

    /// The rules as a table of Markdown, for the documentation.
    package static var markdown: String {
        var lines = [
            "| rule | keywords | what changed | needs | why |",
            "|---|---|---|---|---|",
        ]
        for rule in all {
            lines.append("| `\(rule.id)` | \(rule.keywords) | \(rule.change) | \(rule.bump) | \(rule.reason) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
