internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let limitsAgree = LintRule(
        "limits-agree", "The lower limit does not exceed the upper limit",
        why: "With a lower limit above the upper one, no value is valid, so every event with the property is invalid.",
        examples: .property()
    ) { node, plan in
        let pairs: [(lower: SchemaKeyword, upper: SchemaKeyword, limit: SchemaKeyword)] = [
            (.minimum, .maximum, .maximum), (.minLength, .maxLength, .maximum), (.minItems, .maxItems, .maximum),
            (.minProperties, .maxProperties, .maximum), (.minContains, .maxContains, .maximum),
            (.minimum, .exclusiveMaximum, .exclusiveMaximum), (.exclusiveMinimum, .maximum, .exclusiveMaximum),
            (.exclusiveMinimum, .exclusiveMaximum, .exclusiveMaximum),
        ]
        return pairs.compactMap { lower, upper, keyword in
            guard let low = node[lower], let high = node[upper], low.number != nil, let limit = high.number,
                plan.judge.satisfies(low.source, keyword: keyword, limit: limit) == false
            else { return nil }
            return LintIssue(node, at: lower, "lower \(lower), or raise \(upper): no value satisfies both")
        }
    }

    static let idleKeyword = LintRule(
        "idle-keyword", "Keywords apply to the type next to them",
        why: "Validators silently ignore a limit of another type: maxLength has no effect on an integer.",
        examples: .property()
    ) { node, _ in
        let types = Set(node.types)
        guard !types.isEmpty else { return [] }
        return node.keywords.compactMap { keyword, _ in
            guard let fitting = keyword.appliesTo?.typeNames, types.isDisjoint(with: fitting) else { return nil }
            let list = fitting.joined(separator: " or ")
            return LintIssue(node, at: keyword, "remove \(keyword), or make the type \(list): it has no effect here")
        }
    }

    static let valuesFit = LintRule(
        "values-fit", "enum, const and default satisfy the keywords next to them",
        why: "A listed value of another type, or past a limit, is never valid: the value or the keyword is wrong.",
        examples: .property()
    ) { node, plan in
        let listed = (node[.enum]?.elements ?? []).enumerated().map { (SchemaKeyword.enum, ["\($0)"], $1) }
        let single = [SchemaKeyword.const, .default].compactMap { keyword in
            node[keyword].map { (keyword, [String](), $0) }
        }
        guard !listed.isEmpty || !single.isEmpty, let schema = plan.judge.compiled(node) else { return [] }
        return (listed + single).compactMap { keyword, way, value in
            guard let violation = schema.violations(in: Array(value.source)).first else { return nil }
            return LintIssue(
                node, value, at: keyword, then: way,
                message: "correct the value or the keywords next to it: \(violation.message)"
            )
        }
    }

    static let duplicateEnum = LintRule(
        "duplicate-enum", "No value is listed twice",
        why: "A duplicate is usually a copying mistake: another value was meant.",
        examples: .property()
    ) { node, _ in
        var seen: Set<ValueKey> = []
        return (node[.enum]?.elements ?? []).enumerated().compactMap { index, value in
            guard !seen.insert(ValueKey(value)).inserted else { return nil }
            return LintIssue(
                node, value, at: .enum, then: ["\(index)"], message: "remove the value: it is already listed")
        }
    }

    static let integerBounds = LintRule(
        "integer-bounds", "Integers have a minimum and a maximum, within ±(2^53 − 1)",
        why: "Readers that store numbers as doubles, such as JavaScript and jq, change the digits of larger integers.",
        examples: .property()
    ) { plan in
        let sides: [(fact: SchemaMeaning.Facts, keyword: SchemaKeyword, exclusive: SchemaKeyword)] = [
            (.lower, .minimum, .exclusiveMinimum), (.upper, .maximum, .exclusiveMaximum),
        ]
        return sides.flatMap { fact, keyword, exclusive in
            plan.issues(lacking: fact, .integer, where: \.acceptsIntegers) { node in
                let written = [keyword, exclusive].first { node[$0] != nil }
                return written.map { LintIssue(node, at: $0, "change \($0) to within ±9007199254740991") }
                    ?? LintIssue(node, "add a \(keyword) for \(node.label), within ±9007199254740991")
            }
        }
    }

    static let stringBounds = LintRule(
        "string-bounds", "Strings have a maxLength",
        why: "A line has at most 32 KiB: one unbounded string can exceed the limit. An enum, a const and the formats "
            + "\(Formats.bounded.sorted().joined(separator: ", ")) also limit the length.",
        examples: .property()
    ) { plan in
        plan.issues(lacking: .boundedText, .string, where: { $0.accepts(.string) }) {
            LintIssue($0, "add a maxLength for \($0.label)")
        }
    }

    static let arrayBounds = LintRule(
        "array-bounds", "Arrays have a maxItems",
        why: "A line has at most 32 KiB: one unbounded array can exceed the limit.",
        examples: .property()
    ) { plan in
        plan.issues(lacking: .boundedArray, .array, where: { $0.accepts(.array) }) {
            LintIssue($0, "add a maxItems for \($0.label)")
        }
    }

    static let patternAnchored = LintRule(
        "pattern-anchored", "Patterns start with ^ and end with $, in each alternative",
        why: "A pattern matches anywhere in a string: [a-z]+ accepts every string that contains a small letter.",
        examples: .property()
    ) { node, _ in
        let advice = "write the pattern as ^(…)$"
        let names = (node[.patternProperties]?.members ?? []).map(\.name).filter { !PatternText.isAnchored($0) }
        let isWrong = node[.pattern]?.string.map { !PatternText.isAnchored($0) } ?? false
        return (isWrong ? [LintIssue(node, at: .pattern, advice)] : [])
            + names.map { LintIssue(node, at: .patternProperties, then: [$0], advice) }
    }
}

/// Inspects a pattern without compiling it.
enum PatternText {
    /// Returns whether each top-level alternative starts with `^` and ends with `$`.
    static func isAnchored(_ pattern: String) -> Bool {
        alternatives(of: pattern).allSatisfy { $0.first == "^" && $0.count > 1 && $0.last == "$" }
    }

    /// Returns the top-level alternatives. Escaped characters and character classes become one full stop.
    private static func alternatives(of pattern: String) -> [[Unicode.Scalar]] {
        var found: [[Unicode.Scalar]] = [[]]
        var depth = 0
        var isInClass = false
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            var shown: Unicode.Scalar = "."
            switch scalar {
            case _ where isEscaped: isEscaped = false
            case "\\":
                isEscaped = true
                continue
            case "]" where isInClass: isInClass = false
            case _ where isInClass: continue
            case "[":
                isInClass = true
                continue
            case "(": depth += 1
            case ")": depth -= 1
            case "|" where depth == 0:
                found.append([])
                continue
            default: shown = depth == 0 ? scalar : "."
            }
            found[found.count - 1].append(shown)
        }
        return found
    }
}
