internal import EventModel
internal import EventQuery
internal import JSONLines

/// The expectations of a spec file; see the article *Checking logs against a spec*.
package struct AssertionSpec {
    /// In the order of the file.
    let expectations: [Expectation]

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`; `dataError` with the line and column of the error.
    package init(path: String) throws {
        expectations = try SpecFile.read(path, noun: "spec", depth: 3, Self.expectations)
    }

    private static func expectations(_ root: SpecNode) throws(JSONSyntaxError) -> [Expectation] {
        guard let list = root.members.first(where: { $0.name == "expectations" })?.node, root.members.count == 1 else {
            throw root.issue("a spec must be an object with one member, expectations")
        }
        guard !list.members.isEmpty else {
            throw list.issue("expectations must be an object with at least one named expectation")
        }
        var expectations: [Expectation] = []
        for member in list.members { expectations.append(try expectation(member.name, member.node)) }
        return expectations
    }

    private static func expectation(_ name: String, _ node: SpecNode) throws(JSONSyntaxError) -> Expectation {
        guard case .object = node.value else { throw node.issue("an expectation must be an object") }
        var expectation = Expectation(name: name)
        var demands: [String] = []
        var group: Expectation.Group?
        for part in node.members {
            let key = part.name
            let member = part.node
            switch key {
            case "where": expectation.condition = try condition(member)
            case "match": expectation.match = try match(member)
            case "by":
                guard let known = Expectation.Group(rawValue: try member.text(key)) else {
                    throw member.issue("by must be user_id or session_id")
                }
                group = known
            case "count", "none", "sequence", "valid", "gaps":
                demands.append(key)
                expectation.demand = try demand(key, member)
            default:
                throw member.issue(
                    "unknown member '\(key)': use where, match, count, none, sequence, by, valid or gaps")
            }
        }
        guard demands.count <= 1 else {
            throw node.issue("\(demands.joined(separator: " and ")) are separate expectations: give each its own name")
        }
        return try grouped(expectation, by: group, node)
    }

    private static func grouped(
        _ expectation: Expectation, by group: Expectation.Group?, _ node: SpecNode
    ) throws(JSONSyntaxError) -> Expectation {
        var expectation = expectation
        switch expectation.demand {
        case .sequence(let steps, _): expectation.demand = .sequence(steps, by: group)
        case .noGaps where expectation.condition != nil || expectation.match != nil:
            throw node.issue("a gaps assertion checks all lines: remove where and match")
        default: guard group == nil else { throw node.issue("by needs sequence: add sequence, or remove by") }
        }
        return expectation
    }

    private static func demand(_ key: String, _ node: SpecNode) throws(JSONSyntaxError) -> Expectation.Demand {
        switch key {
        case "count": return .count(try range(node))
        case "none":
            try node.expect(true, key)
            return .count(0...0)
        case "valid":
            try node.expect(true, key)
            return .valid
        case "gaps":
            try node.expect(false, key)
            return .noGaps
        default:
            guard case .array(let steps) = node.value, !steps.isEmpty else {
                throw node.issue("sequence must be a non-empty list of matches")
            }
            for step in steps {
                guard case .object = step else { throw node.issue("each match of a sequence must be an object") }
            }
            return .sequence(steps.map { PartialMatch(pattern: $0) }, by: nil)
        }
    }

    private static func range(_ node: SpecNode) throws(JSONSyntaxError) -> ClosedRange<Int> {
        let issue = node.issue(#"count must be a whole number from 0, or an object such as {"min": 1, "max": 3}"#)
        if let exact = node.value.integerValue {
            guard exact >= 0 else { throw issue }
            return Int(exact)...Int(exact)
        }
        guard case .object(let limits) = node.value, !limits.isEmpty,
            limits.keys.allSatisfy({ $0 == "min" || $0 == "max" }),
            limits.values.allSatisfy({ ($0.integerValue ?? -1) >= 0 })
        else { throw issue }
        let low = limits["min"]?.integerValue ?? 0
        let high = limits["max"]?.integerValue ?? .max
        guard low <= high else { throw node.issue("min must not be greater than max") }
        return Int(low)...Int(high)
    }

    private static func condition(_ node: SpecNode) throws(JSONSyntaxError) -> Condition {
        let text = try node.text("where")
        do throws(TypedTextError) { return try Condition(text, now: SelectionOptions.now) } catch {
            throw node.issue("where: \(error)")
        }
    }

    private static func match(_ node: SpecNode) throws(JSONSyntaxError) -> PartialMatch {
        guard case .object = node.value else { throw node.issue("match must be an object") }
        return PartialMatch(pattern: node.value)
    }
}
