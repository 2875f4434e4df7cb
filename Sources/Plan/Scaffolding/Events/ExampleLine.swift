internal import JSONLines
internal import JSONSchema
internal import TrackingPlan

/// The line of a new event for `examples/good`, where a plan with a container has one line of each event.
enum ExampleLine {
    private static let folder = "examples/good/"

    /// Returns a copy of an existing line, with the event replaced by the schema's example.
    ///
    /// - Returns: nil if the plan has no such lines, or the schema has no example; rules of the plan report what is
    ///   missing.
    static func file(of schema: PlanFile, in plan: PlanFolder) -> PlanFile? {
        guard let (name, version) = PlanSchema.identity(ofPath: schema.path),
            let model = plan.files.first(where: { $0.path.hasPrefix(folder) && $0.path.hasSuffix(".jsonl") }),
            let line = model.bytes.split(separator: 0x0A).first,
            let event = example(schema), plan.file("\(folder)\(name).jsonl") == nil
        else { return nil }
        let bytes = Array(line)
        // A line that is not an object is reported by the plan's rules.
        guard let members = try? JSONParser.parseWithMembers(bytes).members else { return nil }
        let values = ["schema": Array("\"\(name)/\(version)\"".utf8), "event": event]
        var changed = bytes
        for member in members.reversed() {
            if let value = values[member.name] { changed.replaceSubrange(member.range, with: value) }
        }
        return PlanFile(path: "\(folder)\(name).jsonl", bytes: changed + [0x0A])
    }

    /// Returns the first example of a schema, on one line.
    private static func example(_ schema: PlanFile) -> [UInt8]? {
        guard let document = JSONDocument(validating: schema.bytes),
            let source = document.root[.examples]?.elements.first?.source, let value = JSONValue(validating: source)
        else { return nil }
        var json = JSONWriter()
        // A number that cannot be written is reported by the plan's rules; the example line is omitted.
        guard (try? value.write(to: &json)) != nil else { return nil }
        return json.bytes
    }
}
