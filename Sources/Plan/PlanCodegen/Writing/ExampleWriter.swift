internal import JSONSchema
internal import TrackingPlan

/// Writes the examples of schemas as Swift expressions. For tests: limits are not checked here.
struct ExampleWriter {
    private(set) var issues: [CodegenIssue] = []
    private let document: JSONDocument
    private let file: String

    init(_ document: JSONDocument, file: String) {
        self.document = document
        self.file = file
    }

    /// Returns the expression that creates an example's event; nil after reporting an example that doesn't match.
    mutating func event(_ example: SchemaLocation, of event: EventType) -> String? {
        guard example["name"]?.value.string == event.name, event.carriesValue == (example["value"] != nil) else {
            return report(example, "the example is not a \(event.name) event: correct its name and value")
        }
        let location = example["value"] ?? example
        return object(location, event.value, named: event.value.typeName)
    }

    private mutating func object(_ location: SchemaLocation, _ type: ObjectType, named name: String) -> String? {
        var arguments: [String] = []
        for property in type.properties {
            guard let member = location[property.name] else {
                if property.isRequired { return report(location, "the example lacks \(property.name): add it") }
                continue
            }
            guard let value = expression(member, property.type) else { return nil }
            arguments.append("\(SwiftName.label(property.swiftName)): \(value)")
        }
        return "\(name)(\(arguments.joined(separator: ", ")))"
    }

    private mutating func expression(_ location: SchemaLocation, _ type: ValueType) -> String? {
        let value = location.value
        let found: String? =
            switch type {
            case .boolean: value.boolean.map { "\($0)" }
            case .integer: value.integer.map { "\($0)" }
            case .number: value.number
            case .string: value.string.map(SwiftLiteral.string)
            case .enumeration(let type):
                type.cases.first { one in
                    switch one.value {
                    case .string(let text): value.string == text
                    case .integer(let number): value.integer == number
                    }
                }.map { ".\($0.swiftName)" }
            case .object(let type): value.kind == .object ? object(location, type, named: ".init") : nil
            case .array(let rule): value.kind == .array ? array(location, rule.element) : nil
            case .free: value.kind == .object ? free(value) : nil
            }
        return found ?? report(location, "the example's value is not of type \(type.swiftName()): correct it")
    }

    private mutating func array(_ location: SchemaLocation, _ type: ValueType) -> String? {
        var elements: [String] = []
        for element in location.elements {
            guard let value = expression(element, type) else { return nil }
            elements.append(value)
        }
        return "[\(elements.joined(separator: ", "))]"
    }

    /// Returns the members of a free object with explicit enum cases, which compile faster than literals.
    private func free(_ value: JSONDocument.Value) -> String? {
        let members = value.members.map { member in
            json(member.value).map { "\(SwiftLiteral.string(member.name)): \($0)" }
        }
        guard !members.contains(nil) else { return nil }
        return members.isEmpty ? "[:]" : "[\(members.compactMap { $0 }.joined(separator: ", "))]"
    }

    private func json(_ value: JSONDocument.Value) -> String? {
        if let text = value.string { return ".string(\(SwiftLiteral.string(text)))" }
        if let flag = value.boolean { return ".bool(\(flag))" }
        if let integer = value.integer { return ".integer(\(integer))" }
        if let number = value.number { return ".number(\(number))" }
        if value.kind == .null { return ".null" }
        if value.kind == .object { return free(value).map { ".object(\($0))" } }
        let elements = value.elements.map(json)
        return elements.contains(nil) ? nil : ".array([\(elements.compactMap { $0 }.joined(separator: ", "))])"
    }

    private mutating func report(_ location: SchemaLocation, _ message: String) -> String? {
        let position = document.position(ofOffset: location.value.offset)
        let issue = CodegenIssue(
            file: file, line: position.line, column: position.column, pointer: location.pointer.description,
            message: message)
        if issues.isEmpty { issues.append(issue) }
        return nil
    }
}
