internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// Rules about the purposes of events.
extension LintRule {
    static let purposeValue = LintRule(
        "purpose-value", "x-purpose is a name in kebab-case, in the root schema of an event",
        why:
            "People agree to each purpose separately. An event without x-purpose has the purpose analytics; exempt is reserved "
            + "for events that are sent whatever people answer.",
        examples: .member
    ) { node, plan in issues(of: .purpose, in: node, plan) }

    static let purposeJustified = LintRule(
        "purpose-justified", "Each exempt event has an x-purpose-justification, and no other event has one",
        why:
            "An exempt event is sent even after people deny every purpose. That is allowed only if the event is strictly "
            + "necessary, so the schema states why, in a sentence.",
        examples: .member
    ) { node, plan in
        let isUnjustified = node[.purpose]?.string == Purpose.exempt.name && node[.purposeJustification] == nil
        guard isUnjustified, isEvent(node) else { return issues(of: .purposeJustification, in: node, plan) }
        return [LintIssue(node, at: .purpose, "add x-purpose-justification: why the event is strictly necessary")]
    }

    static let purposeCount = LintRule(
        "purpose-count", "A plan has at most \(Purpose.maximumCount) purposes",
        why:
            "The SDK stores the answers to at most \(Purpose.maximumCount) purposes. analytics counts, exempt does not. Only "
            + "the newest version of each event counts.",
        examples: .purposes
    ) { plan in issues(plan) { $0.excess } }

    static let purposeNames = LintRule(
        "purpose-names", "Purposes have different names in Swift that are not reserved",
        why: "Code generation declares a static member of Purpose for each purpose: userResearch for user-research.",
        examples: .purposes
    ) { plan in issues(plan) { $0.swiftIssues } }

    /// Returns the issues of an annotation's value in one schema.
    static func purposeIssues(
        of annotation: PlanAnnotation, in node: Subschema, _ value: JSONDocument.Value
    ) -> [LintIssue] {
        let name = annotation.rawValue
        guard isEvent(node) else {
            return [LintIssue(node, at: annotation, "remove \(name): only the root schema of an event has a purpose")]
        }
        guard annotation == .purposeJustification else {
            guard Purpose(schemaValue: value) == nil else { return [] }
            return [
                LintIssue(
                    node, at: annotation,
                    "write a name in kebab-case of at most \(EventName.maximumLength) bytes, such as \"ads\"")
            ]
        }
        guard node[.purpose]?.string == Purpose.exempt.name else {
            return [LintIssue(node, at: annotation, "remove \(name): the purpose is not \(Purpose.exempt)")]
        }
        guard !isSentence(value.string ?? "") else { return [] }
        return [LintIssue(node, at: annotation, "write why the event is strictly necessary, in a sentence")]
    }

    /// Returns whether a text can be a sentence: it has three words, or, because some scripts have no spaces between words,
    /// ten characters that are not all ASCII.
    private static func isSentence(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count >= 3 || !text.allSatisfy(\.isASCII) && words.reduce(0) { $0 + $1.count } >= 10
    }

    private static func isEvent(_ node: Subschema) -> Bool {
        node.role == .root && !LintDocument.isContainer(node.path)
    }

    /// Returns an issue for each purpose that the plan cannot have, at the first event with this purpose.
    private static func issues(_ plan: LintPlan, _ found: (PlanPurposes) -> [PlanPurposes.Issue]) -> [LintIssue] {
        let newest = plan.newestEvents.compactMap { root in
            root[.purpose].flatMap { Purpose(schemaValue: $0) }.map { (root: root, purpose: $0) }
        }
        return found(PlanPurposes(newest.map(\.purpose))).compactMap { issue in
            newest.first { $0.purpose == issue.purpose }.map { LintIssue($0.root, at: .purpose, issue.message) }
        }
    }
}

extension LintPlan {
    /// The root schema of each event's newest version, ordered by path.
    fileprivate var newestEvents: [Subschema] {
        let events = documents.filter { !$0.isContainer }
        let newest = Dictionary(events.compactMap { $0.identity.map { ($0.name, $0.version) } }, uniquingKeysWith: max)
        return events.compactMap { document in
            guard let identity = document.identity, newest[identity.name] == identity.version else { return nil }
            return document.root
        }
    }
}
