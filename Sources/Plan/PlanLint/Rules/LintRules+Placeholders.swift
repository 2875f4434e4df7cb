internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    package static let placeholderDescription = LintRule(
        "placeholder-description", "No description starts with TODO",
        why:
            "trackctl new writes a TODO if you pass no description. Once published, it becomes the documentation of the "
            + "event, and the doc comment of the Swift code.",
        examples: .property()
    ) { plan in
        let schemas = plan.schemas.flatMap { node -> [LintIssue] in
            var issues: [LintIssue] = []
            if let text = node[.description]?.string, PlaceholderText.isPlaceholder(text) {
                issues.append(LintIssue(node, at: .description, advice))
            }
            if let text = node[.purposeJustification]?.string, PlaceholderText.isPlaceholder(text) {
                issues.append(
                    LintIssue(node, at: .purposeJustification, "replace the placeholder with a justification"))
            }
            return issues
        }
        let lists = [PlannedPages.path, UnplannedList.path].flatMap { path -> [LintIssue] in
            // Ignore the error: `page-list` and `unplanned-event` report it.
            guard let document = plan.folder.file(path).flatMap({ JSONDocument(validating: $0.bytes) }) else {
                return []
            }
            return issues(in: document.root, [], path)
        }
        return schemas + lists
    }

    private static let advice = "replace the placeholder with a description"

    /// Returns the placeholders in a file that is not a schema.
    private static func issues(in value: JSONDocument.Value, _ tokens: [String], _ path: String) -> [LintIssue] {
        value.members.flatMap { member -> [LintIssue] in
            let location = tokens + [member.name]
            guard member.name == SchemaKeyword.description.rawValue, let text = member.value.string,
                PlaceholderText.isPlaceholder(text)
            else { return issues(in: member.value, location, path) }
            return [LintIssue(path, offset: member.value.offset, pointer: JSONPointer(location), advice)]
        }
    }
}
