internal import EventModel
package import JSONSchema
internal import Primitives

extension UnplannedList {
    /// Reads the list of a folder; nil if it has no `unplanned.json`.
    ///
    /// - Parameter planned: The names of the events that have a schema.
    /// - Throws: ``PlanError`` with code `.notASchema` and every error, each with the file and the JSON pointer.
    static func read(_ folder: PlanFolder, planned: Set<String>) throws(PlanError) -> UnplannedList? {
        guard let file = folder.file(path) else { return nil }
        let location = folder.location(of: path)
        let document: JSONDocument
        do throws(JSONTextError) { document = try JSONDocument(file.bytes) } catch {
            throw PlanError(.notASchema, "\(location): not JSON: \(error)")
        }
        let (list, issues) = read(document)
        let all = issues.isEmpty ? list.issues(planned: planned, in: document) : issues
        guard all.isEmpty else {
            throw PlanError(.notASchema, all.map { "\(location): \($0.description)" }.joined(separator: "\n"))
        }
        return list
    }

    package static func read(_ document: JSONDocument) -> (list: UnplannedList, issues: [PlannedPagesIssue]) {
        var reader = UnplannedListReader()
        let events = reader.events(document.root)
        return (UnplannedList(events: events), reader.issues)
    }
}

/// Reads `unplanned.json`.
private struct UnplannedListReader {
    var issues: [PlannedPagesIssue] = []

    private mutating func report(_ value: JSONDocument.Value, at tokens: [String], message: String) {
        issues.append(PlannedPagesIssue(offset: value.offset, pointer: JSONPointer(tokens), message: message))
    }

    private mutating func allow(_ names: [String], in value: JSONDocument.Value, _ location: [String]) {
        for member in value.members where !names.contains(member.name) {
            report(
                member.value, at: location + [member.name],
                message: "unknown member: remove it, or use one of \(names.joined(separator: ", "))")
        }
    }

    mutating func events(_ root: JSONDocument.Value) -> [UnplannedList.Event] {
        guard root.kind == .object else {
            report(root, at: [], message: "write a JSON object with the member x-unplanned")
            return []
        }
        allow(["x-unplanned", "description", "$comment"], in: root, [])
        guard let list = root["x-unplanned"], list.kind == .object else {
            report(
                root["x-unplanned"] ?? root, at: [],
                message: "add the member x-unplanned: an object with a member for each event")
            return []
        }
        return list.members.compactMap { event($0.name, $0.value) }
    }

    private mutating func event(_ name: String, _ value: JSONDocument.Value) -> UnplannedList.Event? {
        let location = ["x-unplanned", name]
        if !EventName.isValid(name) {
            report(
                value, at: location,
                message:
                    "invalid event name '\(name)': use kebab-case, at most \(EventName.maximumLength) bytes, such as promo-shown"
            )
        }
        guard value.kind == .object else {
            report(value, at: location, message: "write an object, such as {\"description\": \"What happened.\"}")
            return nil
        }
        allow(["description", "until", "$comment"], in: value, location)
        let description = value["description"]?.string ?? ""
        if !description.contains(where: { !$0.isWhitespace }) {
            report(value["description"] ?? value, at: location, message: "add a description: a text that is not empty")
        }
        let until = value["until"]?.string.flatMap { InternetTime.isDate($0) ? $0 : nil }
        if let given = value["until"], until == nil {
            report(given, at: location + ["until"], message: "write a date, such as 2027-01-31")
        }
        return UnplannedList.Event(name: name, description: description, until: until)
    }
}
