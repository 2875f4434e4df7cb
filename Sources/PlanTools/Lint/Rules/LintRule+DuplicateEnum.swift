internal import JSONSchema

extension LintRule {
    static let duplicateEnum = LintRule(
        "duplicate-enum", "No value is listed twice",
        why: "The second one is a slip of copying, and often stands where another value was meant.",
        good: .property(#""plan": {"enum": ["free", "paid"], "description": "Which plan."}"#),
        bad: .property(#""plan": {"enum": ["free", "paid", "free"], "description": "Which plan."}"#)
    ) { node, plan in
        let values = node["enum"]?.elements ?? []
        return values.indices.compactMap { index in
            let isRepeated = values[..<index].contains { earlier in
                let constant = String(decoding: earlier.source, as: UTF8.self)
                return plan.judge.satisfies(values[index].source, "{\"const\": \(constant)}") == true
            }
            return isRepeated
                ? LintFault(node, at: ["enum", "\(index)"], "remove the value: it is listed before") : nil
        }
    }
}
