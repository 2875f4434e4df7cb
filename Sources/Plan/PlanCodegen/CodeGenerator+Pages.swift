internal import JSONSchema
internal import TrackingPlan

extension CodeGenerator {
    /// Returns the pages of a folder; nil if it lists none, or if ``pageIssues(_:)`` reports issues.
    static func pages(_ folder: PlanFolder) -> PlannedPages? {
        guard let document = document(folder), PlannedPages.read(document).issues.isEmpty else { return nil }
        return PlannedPages.read(document).pages
    }

    /// Returns the issues in the list of pages. Invalid JSON is reported when the plan is read.
    ///
    /// - Throws: ``CodegenError`` if the list can't be read.
    static func pageIssues(_ folder: PlanFolder) throws(CodegenError) -> [CodegenIssue] {
        guard let document = document(folder) else { return [] }
        func issues(_ found: [PlannedPagesIssue]) -> [CodegenIssue] {
            found.map { issue in
                let (line, column) = document.position(ofOffset: issue.offset)
                return CodegenIssue(
                    file: folder.location(of: PlannedPages.path), line: line, column: column,
                    pointer: issue.pointer.description, message: issue.message)
            }
        }
        let unreadable = issues(PlannedPages.read(document).issues)
        guard unreadable.isEmpty else {
            throw CodegenError(.schemas, unreadable.map(\.description).joined(separator: "\n"))
        }
        return issues(PlannedPages.swiftIssues(document))
    }

    /// Returns an issue if an event's type has the name of the pages' enum.
    static func clash(of pages: PlannedPages?, _ events: [EventType], _ folder: PlanFolder) -> [CodegenIssue] {
        guard let pages,
            let event = events.first(where: { $0.value.typeName.lowercased() == pages.typeName.lowercased() })
        else { return [] }
        return [
            CodegenIssue(
                file: folder.location(of: PlannedPages.path), line: 1, column: 1, pointer: "",
                message:
                    """
                    the event \(event.name) already has the Swift name \(pages.typeName): give the pages another name \
                    with x-swift-name
                    """
            )
        ]
    }

    private static func document(_ folder: PlanFolder) -> JSONDocument? {
        // Ignore the error: reading the plan reports it.
        folder.file(PlannedPages.path).flatMap { JSONDocument(validating: $0.bytes) }
    }
}
