internal import JSONSchema
internal import TrackingPlan

extension CodeGenerator {
    /// The events that a folder allows without a schema, and what is wrong with the list.
    ///
    /// - Parameters:
    ///   - events: The folder's events that have a schema.
    ///   - provided: The events that come with the SDK.
    ///   - pages: The folder's pages.
    /// - Throws: ``CodegenError`` if the list can't be read at all.
    static func unplanned(
        _ folder: PlanFolder, besides events: [EventType], _ provided: [EventType], _ pages: PlannedPages?
    ) throws(CodegenError) -> (events: [UnplannedList.Event], faults: [CodegenFault]) {
        // Lost: why it isn't JSON. Reading the plan says so.
        guard let document = folder.file(UnplannedList.path).flatMap({ try? JSONDocument($0.bytes) }) else {
            return ([], [])
        }
        let place = folder.place(of: UnplannedList.path)
        func fault(_ fault: PlannedPagesFault) -> CodegenFault {
            let (line, column) = document.position(ofOffset: fault.offset)
            return CodegenFault(
                file: place, line: line, column: column, pointer: fault.pointer.description, message: fault.message)
        }
        let (list, unreadable) = UnplannedList.read(document)
        let known = provided + events
        let found = unreadable.isEmpty ? list.faults(planned: Set(known.map(\.name)), in: document) : unreadable
        guard found.isEmpty else {
            throw CodegenError(.schemas, found.map { fault($0).description }.joined(separator: "\n"))
        }
        var taken = Dictionary(
            known.map { ($0.value.typeName.lowercased(), "the event \($0.name)") },
            uniquingKeysWith: { first, _ in first })
        if let pages { taken[pages.typeName.lowercased()] = "the list of pages" }
        var factories = Dictionary(
            known.map { ($0.factoryName, "the event \($0.name)") }, uniquingKeysWith: { first, _ in first })
        var faults: [CodegenFault] = []
        for event in list.events {
            let (type, factory) = (event.typeName ?? event.name, event.factoryName ?? event.name)
            if let other = taken[type.lowercased()] ?? factories[factory] {
                let pointer = JSONPointer(["x-unplanned", event.name])
                faults.append(
                    fault(
                        PlannedPagesFault(
                            offset: document.root[pointer: pointer.description]?.offset ?? 0, pointer: pointer,
                            message: "\(other) is \(type) in Swift, too: choose another name")))
            }
            taken[type.lowercased()] = "the event \(event.name)"
            factories[factory] = "the event \(event.name)"
        }
        return (list.events, faults)
    }
}
