internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let unplannedEvent = LintRule(
        "unplanned-event",
        "unplanned.json lists events without a schema, each with a description and an until date in the future",
        why:
            "The values of an event without a schema are not checked. Each lint run lists these events as a reminder, "
            + "and reports a finding after the until date.",
        examples: .unplanned
    ) { plan in
        guard let file = plan.folder.file(UnplannedList.path) else { return [] }
        let document: JSONDocument
        do throws(JSONTextError) { document = try JSONDocument(file.bytes) } catch {
            return [LintIssue(file.path, offset: error.offset, "not JSON: \(error.reason)")]
        }
        let (list, unreadable) = UnplannedList.read(document)
        let planned = Set(plan.documents.filter { !$0.isContainer }.compactMap(\.identity?.name))
        let issues = unreadable.isEmpty ? list.issues(planned: planned, in: document) : unreadable
        let past = list.events.compactMap { event -> LintIssue? in
            guard let until = event.until, let today = plan.today, until < today else { return nil }
            return issue(
                event, at: ["until"], in: document,
                message:
                    "\(event.name) was allowed without a schema until \(until): write its schema, or stop sending it")
        }
        return issues.map { LintIssue(file.path, offset: $0.offset, pointer: $0.pointer, $0.message) } + past
    }

    /// Returns a note for each listed event that is not a finding.
    static func unplannedNotes(_ plan: LintPlan) -> [LintIssue] {
        // The rule reports invalid JSON.
        guard let document = plan.folder.file(UnplannedList.path).flatMap({ JSONDocument(validating: $0.bytes) }) else {
            return []
        }
        let found = Set(unplannedEvent.check(plan).compactMap { $0.pointer.tokens.dropFirst().first })
        return UnplannedList.read(document).list.events.filter { !found.contains($0.name) }.map { event in
            let limit = event.until.map { " until \($0)" } ?? ""
            return issue(event, at: [], in: document, message: "\(event.name) is allowed without a schema\(limit)")
        }
    }

    private static func issue(
        _ event: UnplannedList.Event, at tokens: [String], in document: JSONDocument, message: String
    ) -> LintIssue {
        let pointer = JSONPointer(["x-unplanned", event.name] + tokens)
        let offset = document.root[pointer: pointer.description]?.offset ?? document.root.offset
        return LintIssue(UnplannedList.path, offset: offset, pointer: pointer, message)
    }
}
