internal import EventModel
internal import JSONSchema

extension LintRule {
    static let described = LintRule(
        "described", "Each schema has a title and a description, and each property a description",
        why: "Analysts read the description before they ask the app's team. It also becomes the doc "
            + "comment of the Swift code.",
        examples: .property()
    ) { plan in
        func lacks(_ node: Subschema, _ keyword: SchemaKeyword) -> Bool {
            node[keyword]?.string?.contains(where: { !$0.isWhitespace }) != true
        }
        let parts = plan.meanings.parts
        return plan.meanings.values.flatMap { node -> [LintIssue] in
            switch node.role {
            case .root:
                return [SchemaKeyword.title, .description].filter { lacks(node, $0) }.map {
                    LintIssue(node, at: $0, "add a \($0.rawValue)")
                }
            case .property where node.value.kind == .object:
                let all = parts.allCertain(of: node) + parts.refined(by: node)
                // A missing target may have a description: another rule reports it.
                let isKnown = all.allSatisfy { $0.targets.allSatisfy { $0 != nil } }
                guard isKnown, all.allSatisfy({ lacks($0, .description) }) else { return [] }
                return [LintIssue(node, at: .description, "add a description of \(node.label)")]
            default: return []
            }
        }
    }

    static let propertyName = LintRule(
        "property-name", "Property names are snake_case",
        why: "SQL and many languages read the lines. If names have one form, no reader needs a table of exceptions.",
        examples: .property()
    ) { node, _ in
        guard case .property(let name) = node.role, !PropertyName.isValid(name) else { return [] }
        return [LintIssue(node, "rename \(name): use a-z, 0-9 and single _, start with a letter, at most 64 bytes")]
    }

    static let examplesPresent = LintRule(
        "examples-present", "Each schema has an example",
        why: "An example is quicker to understand than a schema, and proves that the schema accepts a value.",
        examples: .event
    ) { _, root in
        guard root[.examples]?.elements.isEmpty != false else { return [] }
        return [LintIssue(root, at: .examples, "add at least one example to \"examples\"")]
    }

    static let examplesValid = LintRule(
        "examples-valid", "Examples satisfy their schema",
        why: "Readers copy examples, so a wrong example spreads.",
        examples: .property()
    ) { node, plan in
        let examples = node[.examples]?.elements ?? []
        guard !examples.isEmpty, let schema = plan.judge.compiled(node) else { return [] }
        return examples.enumerated().flatMap { index, example in
            schema.violations(in: Array(example.source)).map { violation in
                let way = ["\(index)"] + LintIssue.tokens(violation.instancePath)
                return LintIssue(
                    node, at: .examples, then: way, "correct the example or the schema: \(violation.message)")
            }
        }
    }

    static let goodExample = LintRule(
        "good-example", "Each line in examples/good is valid, and each event has a file there",
        why: "Other validators and new readers of the log are tested with these lines.",
        examples: .line(in: "good")
    ) { plan in LineExamples(plan).goodIssues }

    static let badExample = LintRule(
        "bad-example", "Each line in examples/bad is invalid",
        why: "A bad line that is valid shows that a schema accepts more than intended.",
        examples: .line(in: "bad")
    ) { plan in LineExamples(plan).badIssues }
}
