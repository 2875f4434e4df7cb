package import PlanCodegen
internal import TrackingPlan

package struct NewEvent: Sendable {
    package let name: ScaffoldName
    /// When the event fires, on one line.
    let description: String
    let properties: [NewProperty]
    let purpose: NewPurpose
    /// The access level of its type, if the type is written to a file.
    let access: Access
    /// Whether to publish it immediately.
    let isLocked: Bool

    /// - Parameters:
    ///   - description: When it fires; nil for a placeholder. Line feeds and control characters become spaces.
    ///   - purpose: Why it is collected.
    /// - Throws: ``ScaffoldError``, `exists`, for a duplicate property.
    package init(
        _ name: ScaffoldName, description: String?, properties: [NewProperty], purpose: NewPurpose = .analytics,
        access: Access = .internal, isLocked: Bool
    ) throws(ScaffoldError) {
        for (index, property) in properties.enumerated()
        where properties[..<index].contains(where: { $0.name == property.name }) {
            throw ScaffoldError(.exists, "duplicate property \(property.name): give each property a unique name")
        }
        self.name = name
        let words = SingleLine.text(description ?? "")
        self.description = words.isEmpty ? PlaceholderText.description(of: "when \(name.text) fires") : words
        self.properties = properties
        self.purpose = purpose
        self.access = access
        self.isLocked = isLocked
    }

    var schemaPath: String { "events/\(name.text)/1-0-0.json" }

    /// Returns the template of its schema, and the values of the placeholders.
    ///
    /// - Parameter base: The part before the path in `$id`.
    func schemaValues(base: String) -> (template: TemplateName, values: [String: String]) {
        var values = [
            "name": name.text, "id": base + schemaPath, "json-description": JSONText.string(description),
            "example": "{ \"name\": \"\(name.text)\" }", "purpose": purpose.members,
        ]
        guard !properties.isEmpty else { return (.event, values) }
        let members = properties.map(\.example).joined(separator: ", ")
        values["example"] = "{ \"name\": \"\(name.text)\", \"value\": { \(members) } }"
        values["required"] = JSONText.array(properties.filter(\.isRequired).map(\.name))
        values["properties"] = properties.map(\.schema).joined(separator: ",\n")
        return (.eventWithValue, values)
    }
}

/// Command-line text that becomes a description.
enum SingleLine {
    /// Returns a text on one line: runs of white space and control characters become one space, and are trimmed at the
    /// ends.
    static func text(_ text: some StringProtocol) -> String {
        String(text).unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }.map { String($0) }.joined(separator: " ")
    }
}
