internal import JSONSchema

extension LintRule {
    static let limitsAgree = LintRule(
        "limits-agree", "The lower limit is not above the upper",
        why: "Nothing lies between limits that are crossed, so that every event with the property is refused.",
        good: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1."}"#),
        bad: .property(#""page": {"type": "integer", "minimum": 100, "maximum": 1, "description": "From 1."}"#)
    ) { node, plan in
        let pairs = [
            ("minimum", "maximum", "maximum"), ("minLength", "maxLength", "maximum"),
            ("minItems", "maxItems", "maximum"), ("minProperties", "maxProperties", "maximum"),
            ("minContains", "maxContains", "maximum"), ("minimum", "exclusiveMaximum", "exclusiveMaximum"),
            ("exclusiveMinimum", "maximum", "exclusiveMaximum"),
            ("exclusiveMinimum", "exclusiveMaximum", "exclusiveMaximum"),
        ]
        return pairs.compactMap { lower, upper, keyword in
            guard let low = node[lower], let high = node[upper], low.number != nil, let limit = high.number,
                plan.judge.satisfies(low.source, "{\"\(keyword)\": \(limit)}") == false
            else { return nil }
            return LintFault(node, at: [lower], "lower \(lower), or raise \(upper): nothing lies between them")
        }
    }
}
