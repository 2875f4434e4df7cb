internal import JSONSchema
internal import TrackingPlan

extension CodeGenerator {
    /// The pages of a folder; nil if it lists none, or ``pageFaults(_:)`` finds any fault.
    static func pages(_ folder: PlanFolder) -> PlannedPages? {
        guard let document = document(folder), PlannedPages.read(document).faults.isEmpty else { return nil }
        return PlannedPages.read(document).pages
    }

    /// What is wrong with the list of pages. Text that is not JSON is found by the plan.
    ///
    /// - Throws: ``CodegenError`` if the list can't be read at all.
    static func pageFaults(_ folder: PlanFolder) throws(CodegenError) -> [CodegenFault] {
        guard let document = document(folder) else { return [] }
        func faults(_ found: [PlannedPagesFault]) -> [CodegenFault] {
            found.map { fault in
                let (line, column) = document.position(ofOffset: fault.offset)
                return CodegenFault(
                    file: folder.place(of: PlannedPages.path), line: line, column: column,
                    pointer: fault.pointer.description, message: fault.message)
            }
        }
        let unreadable = faults(PlannedPages.read(document).faults)
        guard unreadable.isEmpty else {
            throw CodegenError(.schemas, unreadable.map(\.description).joined(separator: "\n"))
        }
        return faults(PlannedPages.swiftFaults(document))
    }

    /// An event whose type has the name of the pages' enum.
    static func clash(of pages: PlannedPages?, _ events: [EventType], _ folder: PlanFolder) -> [CodegenFault] {
        guard let pages,
            let event = events.first(where: { $0.value.typeName.lowercased() == pages.typeName.lowercased() })
        else { return [] }
        return [
            CodegenFault(
                file: folder.place(of: PlannedPages.path), line: 1, column: 1, pointer: "",
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
