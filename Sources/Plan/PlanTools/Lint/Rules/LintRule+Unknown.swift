internal import JSONSchema

extension LintRule {
    static let unknownKeyword = LintRule(
        "unknown-keyword", "Keywords are those of the standard, or begin with x-",
        why: "A validator ignores what it does not know: requried requires nothing.",
        good: .property(#""page": {"type": "boolean", "description": "Whether.", "x-owner": "search team"}"#),
        bad: .property(#""page": {"type": "boolean", "description": "Whether.", "depricated": true}"#)
    ) { node, _ in
        node.value.members.filter { !Keywords.known.contains($0.name) && !$0.name.hasPrefix("x-") }.map { member in
            let likely = Spelling.nearest(to: member.name, in: Keywords.known)
            let advice = likely.map { "write \($0)" } ?? "remove it, or let it begin with x-"
            return LintFault(node, at: [member.name], "there is no keyword \(member.name): \(advice)")
        }
    }

    static let unknownFormat = LintRule(
        "unknown-format", "Formats are those of the standard",
        why: "A validator ignores a format that it does not know, so that everything passes.",
        good: .property(#""at": {"type": "string", "format": "date-time", "maxLength": 40, "description": "When."}"#),
        bad: .property(
            #""at": {"type": "string", "format": "datetime", "maxLength": 30, "description": "When.", "x-pii": false}"#)
    ) { node, _ in
        guard let format = node["format"]?.string, !Formats.known.contains(format) else { return [] }
        let likely = Spelling.nearest(to: format, in: Formats.known)
        let advice = likely.map { "write \($0)" } ?? "write a pattern instead"
        return [LintFault(node, at: ["format"], "there is no format \(format): \(advice)")]
    }
}
