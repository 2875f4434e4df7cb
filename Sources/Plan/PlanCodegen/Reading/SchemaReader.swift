internal import JSONSchema
internal import TrackingPlan

/// Translates the schema of an event to Swift types. Unsupported schemas are reported; nothing is ignored or relaxed.
struct SchemaReader {
    let schema: PlanSchema
    /// The file as messages name it.
    let file: String
    /// The schemas of the file and the targets of their references.
    let tree: SchemaTree
    /// The issues found so far.
    private(set) var issues: [CodegenIssue] = []
    /// The referenced definitions, in the order of their first use.
    var definitions: [NestedType] = []
    /// The types of the referenced definitions; nil for definitions that are being read.
    var definitionTypes: [Subschema: ValueType?] = [:]
    /// The names of the types around the current one, the event's type first.
    var scope: [String] = []
    /// Whether the event's struct declares its purpose, so that no type in it can be named `Purpose`.
    var declaresPurpose = false

    init(_ schema: PlanSchema, file: String) {
        self.schema = schema
        self.file = file
        tree = SchemaTree([(schema.path, schema.document)])
    }

    mutating func report(_ location: SchemaLocation, _ message: String) {
        report(location.pointer, at: location.value.offset, message)
    }

    mutating func report(keyword: String, of location: SchemaLocation, _ message: String) {
        let offset = location.value.members.first { $0.name == keyword }?.offset ?? location.value.offset
        report(location.pointer.appending(keyword), at: offset, message)
    }

    mutating func report(keyword: SchemaKeyword, of location: SchemaLocation, _ message: String) {
        report(keyword: keyword.rawValue, of: location, message)
    }

    private mutating func report(_ pointer: JSONPointer, at offset: Int, _ message: String) {
        let position = schema.document.position(ofOffset: offset)
        let issue = CodegenIssue(
            file: file, line: position.line, column: position.column, pointer: pointer.description, message: message)
        if !issues.contains(issue) { issues.append(issue) }
    }

    /// Reports the keywords of a schema that are not in `keywords`.
    mutating func allow(_ keywords: Set<SchemaKeyword>, names: Set<String> = [], in location: SchemaLocation) {
        for (name, _) in location.members where !names.contains(name) {
            let keyword = SchemaKeyword(rawValue: name)
            if let keyword, keywords.contains(keyword) { continue }
            let advice = keyword.map(\.advice) ?? SchemaKeyword.adviceOnOthers(name)
            if name.hasPrefix("x-swift-") {
                report(keyword: name, of: location, "\(name) has no effect here: remove it")
            } else if name == PlanAnnotation.priority.rawValue {
                report(
                    keyword: name, of: location, "only an event has a priority: move \(name) to the root schema")
            } else if name == PlanAnnotation.purpose.rawValue {
                report(keyword: name, of: location, "only an event has a purpose: move \(name) to the root schema")
            } else if let advice, !name.hasPrefix("x-") {
                report(keyword: name, of: location, "\(name) cannot be translated to Swift here: \(advice)")
            }
        }
    }

    /// Returns the text of a keyword; nil if there is none.
    mutating func text(_ keyword: String, of location: SchemaLocation) -> String? {
        guard let found = location[keyword] else { return nil }
        if found.value.string == nil { report(found, "\(keyword) must be a string") }
        return found.value.string
    }

    mutating func text(_ keyword: SchemaKeyword, of location: SchemaLocation) -> String? {
        text(keyword.rawValue, of: location)
    }

    mutating func flag(_ keyword: SchemaKeyword, of location: SchemaLocation) -> Bool? {
        guard let found = location[keyword] else { return nil }
        if found.value.boolean == nil { report(found, "\(keyword.rawValue) must be true or false") }
        return found.value.boolean
    }

    /// Returns the Swift name in an annotation.
    mutating func name(_ keyword: String, of location: SchemaLocation) -> String? {
        guard let name = text(keyword, of: location) else { return nil }
        guard SwiftName.isIdentifier(name), !SwiftName.unusable.contains(name) else {
            report(
                keyword: keyword, of: location,
                "invalid Swift name \(name): use letters and digits, and start with a letter")
            return nil
        }
        return name
    }

    /// Reports a `type` that contradicts the listed values.
    mutating func requireType(_ type: String, of location: SchemaLocation) {
        guard let said = location[.type], said.value.string != type else { return }
        report(said, "the values have another type: write \"\(type)\"")
    }

    /// Returns the range of two keywords that limit a count.
    mutating func counts(_ lower: SchemaKeyword, _ upper: SchemaKeyword, of location: SchemaLocation) -> ClosedRange<
        Int
    > {
        var bounds = [0, Int.max]
        for (index, keyword) in [lower, upper].enumerated() {
            guard let found = location[keyword] else { continue }
            if let count = found.value.integer, (0...Int(Int32.max)).contains(count) {
                bounds[index] = count
            } else {
                report(found, "\(keyword.rawValue) must be an integer from 0 to \(Int32.max)")
            }
        }
        guard bounds[0] <= bounds[1] else {
            report(keyword: upper, of: location, "\(upper.rawValue) must not be less than \(lower.rawValue)")
            return 0...Int.max
        }
        return bounds[0]...bounds[1]
    }

    func description(of location: SchemaLocation) -> String { location[.description]?.value.string ?? "" }
}

/// A value in a schema, with its JSON pointer.
struct SchemaLocation {
    let value: JSONDocument.Value
    let pointer: JSONPointer

    /// Makes the location of the document's root.
    init(_ document: JSONDocument) { self.init(value: document.root, pointer: JSONPointer()) }

    init(value: JSONDocument.Value, pointer: JSONPointer) {
        self.value = value
        self.pointer = pointer
    }

    subscript(name: String) -> SchemaLocation? {
        value[name].map { SchemaLocation(value: $0, pointer: pointer.appending(name)) }
    }

    subscript(keyword: SchemaKeyword) -> SchemaLocation? { self[keyword.rawValue] }

    /// The members, in the order of the text.
    var members: [(name: String, location: SchemaLocation)] {
        value.members.map { ($0.name, SchemaLocation(value: $0.value, pointer: pointer.appending($0.name))) }
    }

    var elements: [SchemaLocation] {
        value.elements.enumerated().map { index, value in
            SchemaLocation(value: value, pointer: pointer.appending("\(index)"))
        }
    }
}
