internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    package static let placeholderDescription = LintRule(
        "placeholder-description", "No description begins with TODO",
        why:
            "trackctl new writes such a description where none was given. Published, it becomes the documentation of the "
            + "event, and the doc comment of the Swift code.",
        examples: .property()
    ) { plan in
        let schemas = plan.schemas.compactMap { node -> LintIssue? in
            guard let text = node[.description]?.string, PlaceholderText.isPlaceholder(text) else { return nil }
            return LintIssue(node, at: .description, advice)
        }
        let lists = [PlannedPages.path, UnplannedList.path].flatMap { path -> [LintIssue] in
            // Lost: why it isn't JSON. `page-list` and `unplanned-event` say so.
            guard let document = plan.folder.file(path).flatMap({ try? JSONDocument($0.bytes) }) else { return [] }
            return issues(in: document.root, [], path)
        }
        return schemas + lists
    }

    private static let advice = "replace the placeholder with a description"

    /// The placeholders in a file that is no schema.
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
