internal import JSONSchema
internal import TrackingPlan

extension CodeGenerator {
    /// The pages of a folder; nil if it lists none, or ``pageFaults(_:)`` finds any fault.
    static func pages(_ folder: PlanFolder) -> PlannedPages? {
        guard let document = document(folder), PlannedPages.read(document).issues.isEmpty else { return nil }
        return PlannedPages.read(document).pages
    }

    /// What is wrong with the list of pages. Text that is not JSON is found by the plan.
    ///
    /// - Throws: ``CodegenError`` if the list can't be read at all.
    static func pageFaults(_ folder: PlanFolder) throws(CodegenError) -> [CodegenIssue] {
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

    /// An event whose type has the name of the pages' enum.
    static func clash(of pages: PlannedPages?, _ events: [EventType], _ folder: PlanFolder) -> [CodegenIssue] {
        guard let pages,
            let event = events.first(where: { $0.value.typeName.lowercased() == pages.typeName.lowercased() })
        else { return [] }
        return [
            CodegenIssue(
                file: folder.location(of: PlannedPages.path), line: 1, column: 1, pointer: "",
                message:
                    "the event \(event.name) is \(pages.typeName) in Swift, too: give the pages another name with x-swift-name"
            )
        ]
    }

    private static func document(_ folder: PlanFolder) -> JSONDocument? {
        // Lost: why it isn't JSON. Reading the plan says so.
        folder.file(PlannedPages.path).flatMap { try? JSONDocument($0.bytes) }
    }
}
