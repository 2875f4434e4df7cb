internal import JSONSchema
internal import TrackingPlan

extension CodeGenerator {
    /// Checks the list of events without a schema: that it is valid, and that no listed event has a schema. Invalid
    /// JSON is reported when the plan is read.
    ///
    /// - Parameter provided: The events that the SDK provides.
    /// - Throws: ``CodegenError`` with every issue.
    static func checkUnplanned(_ folder: PlanFolder, besides provided: [EventType]) throws(CodegenError) {
        guard let document = unplannedDocument(folder) else { return }
        let (list, unreadable) = UnplannedList.read(document)
        let own = folder.files.filter { $0.path.hasPrefix("events/") }
            .compactMap { PlanSchema.identity(ofPath: $0.path)?.name }
        let planned = Set(provided.map(\.name) + own)
        let found = unreadable.isEmpty ? list.issues(planned: planned, in: document) : unreadable
        guard found.isEmpty else {
            let issues = found.map { Self.issue($0, in: document, of: folder).description }
            throw CodegenError(.schemas, issues.joined(separator: "\n"))
        }
    }

    /// Returns the events that a folder allows without a schema, and issues for Swift names that are in use.
    ///
    /// - Parameters:
    ///   - known: The events that have a schema.
    ///   - pages: The folder's pages.
    static func unplanned(
        _ folder: PlanFolder, besides known: [EventType], _ pages: PlannedPages?
    ) -> (events: [UnplannedList.Event], issues: [CodegenIssue]) {
        guard let document = unplannedDocument(folder) else { return ([], []) }
        let list = UnplannedList.read(document).list
        var taken = Dictionary(
            known.map { ($0.value.typeName.lowercased(), "the event \($0.name)") },
            uniquingKeysWith: { first, _ in first })
        if let pages { taken[pages.typeName.lowercased()] = "the list of pages" }
        var factories = Dictionary(
            known.map { ($0.factoryName, "the event \($0.name)") }, uniquingKeysWith: { first, _ in first })
        var issues: [CodegenIssue] = []
        for event in list.events {
            let type = event.typeName ?? event.name
            let factory = event.factoryName ?? event.name
            if let other = taken[type.lowercased()] ?? factories[factory] {
                let pointer = JSONPointer(["x-unplanned", event.name])
                issues.append(
                    issue(
                        PlannedPagesIssue(
                            offset: document.root[pointer: pointer.description]?.offset ?? 0, pointer: pointer,
                            message: "\(other) already has the Swift name \(type): choose another name"), in: document,
                        of: folder))
            }
            taken[type.lowercased()] = "the event \(event.name)"
            factories[factory] = "the event \(event.name)"
        }
        return (list.events, issues)
    }

    private static func unplannedDocument(_ folder: PlanFolder) -> JSONDocument? {
        // Ignore the error: reading the plan reports it.
        folder.file(UnplannedList.path).flatMap { JSONDocument(validating: $0.bytes) }
    }

    private static func issue(
        _ issue: PlannedPagesIssue, in document: JSONDocument, of folder: PlanFolder
    ) -> CodegenIssue {
        let (line, column) = document.position(ofOffset: issue.offset)
        return CodegenIssue(
            file: folder.location(of: UnplannedList.path), line: line, column: column,
            pointer: issue.pointer.description, message: issue.message)
    }
}
