package import PlanCodegen
internal import TrackingPlan

/// An event that is to be in the plan.
package struct NewEvent: Sendable {
    package let name: ScaffoldName
    /// When it fires, in a sentence on one line.
    let description: String
    let properties: [NewProperty]
    /// Who may use its type, if that is written to a file.
    let access: Access
    /// Whether it is published at once.
    let isLocked: Bool

    /// - Parameter description: When it fires; nil for a placeholder. Lines and control characters become spaces.
    /// - Throws: ``ScaffoldError``, `exists`, for a property that is named twice.
    package init(
        _ name: ScaffoldName, description: String?, properties: [NewProperty], access: Access = .internal,
        isLocked: Bool
    ) throws(ScaffoldError) {
        for (index, property) in properties.enumerated()
        where properties[..<index].contains(where: { $0.name == property.name }) {
            throw ScaffoldError(.exists, "the property \(property.name) is given twice: give each another name")
        }
        self.name = name
        let words = SingleLine.text(description ?? "")
        self.description = words.isEmpty ? PlaceholderText.description(of: "when \(name.text) fires") : words
        (self.properties, self.access, self.isLocked) = (properties, access, isLocked)
    }

    /// Where its schema lies in the plan.
    var schemaPath: String { "events/\(name.text)/1-0-0.json" }

    /// Its schema's template, and what goes into it.
    ///
    /// - Parameter base: What stands before the path in `$id`.
    func schemaValues(base: String) -> (template: TemplateName, values: [String: String]) {
        var values = [
            "name": name.text, "id": base + schemaPath, "json-description": JSONText.string(description),
            "example": "{ \"name\": \"\(name.text)\" }",
        ]
        guard !properties.isEmpty else { return (.event, values) }
        let members = properties.map(\.example).joined(separator: ", ")
        values["example"] = "{ \"name\": \"\(name.text)\", \"value\": { \(members) } }"
        values["required"] = JSONText.array(properties.filter(\.isRequired).map(\.name))
        values["properties"] = properties.map(\.schema).joined(separator: ",\n")
        return (.eventWithValue, values)
    }
}
