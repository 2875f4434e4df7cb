internal import EventModel
internal import JSONSchema

extension LintRule {
    static let described = LintRule(
        "described", "The schema has a title and a description, and each property a description",
        why: "The description is what an analyst reads before a question to the app's team, and what becomes the doc "
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
                    LintIssue(node, at: $0, "write a \($0.rawValue)")
                }
            case .property where node.value.kind == .object:
                let all = parts.allCertain(of: node) + parts.refined(by: node)
                // What is not there may be described: references have a rule of their own.
                let isKnown = all.allSatisfy { $0.targets.allSatisfy { $0 != nil } }
                guard isKnown, all.allSatisfy({ lacks($0, .description) }) else { return [] }
                return [LintIssue(node, at: .description, "write a description of \(node.label)")]
            default: return []
            }
        }
    }

    static let propertyName = LintRule(
        "property-name", "Names of properties are snake_case",
        why: "A line is read by people, SQL and many languages; one form for all names spares each of them a table of "
            + "exceptions.",
        examples: .property()
    ) { node, _ in
        guard case .property(let name) = node.role, !PropertyName.isValid(name) else { return [] }
        return [LintIssue(node, "rename \(name): a-z, 0-9 and single _ between, a letter first, at most 64 bytes")]
    }

    static let examplesPresent = LintRule(
        "examples-present", "Each schema holds an example",
        why: "An example is understood before any rule is, and proves that the schema can be satisfied.",
        examples: .event
    ) { _, root in
        guard root[.examples]?.elements.isEmpty != false else { return [] }
        return [LintIssue(root, at: .examples, "write at least one example in \"examples\"")]
    }

    static let examplesValid = LintRule(
        "examples-valid", "Examples satisfy the schema they stand in",
        why: "A wrong example is copied more often than a right one.",
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
        why: "They are what other validators are compared with, and what a new reader of the log is tried on.",
        examples: .line(in: "good")
    ) { plan in LineExamples(plan).goodIssues }

    static let badExample = LintRule(
        "bad-example", "Each line in examples/bad is refused",
        why: "A line that should be refused and is not shows that a schema takes more than was meant.",
        examples: .line(in: "bad")
    ) { plan in LineExamples(plan).badIssues }
}
