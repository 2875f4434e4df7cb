internal import JSONSchema
internal import TrackingPlan

/// Reads the schema of an event as Swift types. What has no type is a fault: nothing is loosened in silence.
struct SchemaReader {
    let schema: PlanSchema
    /// The file as messages name it.
    let file: String
    /// The schemas of the file and where their references lead.
    let tree: SchemaTree
    /// What was found wrong so far.
    private(set) var issues: [CodegenIssue] = []
    /// The definitions that were referred to, in the order of their first use.
    var definitions: [NestedType] = []
    /// The types of the definitions that were referred to; nil for those that are being read.
    var definitionTypes: [Subschema: ValueType?] = [:]
    /// The names of the types around the one that is being read, the event's first.
    var scope: [String] = []

    init(_ schema: PlanSchema, file: String) {
        self.schema = schema
        self.file = file
        tree = SchemaTree([(schema.path, schema.document)])
    }

    // MARK: Faults

    mutating func refuse(_ location: SchemaLocation, _ message: String) {
        refuse(location.pointer, at: location.value.offset, message)
    }

    /// Refuses a keyword: the place is its name.
    mutating func refuse(keyword: String, of location: SchemaLocation, _ message: String) {
        let offset = location.value.members.first { $0.name == keyword }?.offset ?? location.value.offset
        refuse(location.pointer.appending(keyword), at: offset, message)
    }

    mutating func refuse(keyword: SchemaKeyword, of location: SchemaLocation, _ message: String) {
        refuse(keyword: keyword.rawValue, of: location, message)
    }

    private mutating func refuse(_ pointer: JSONPointer, at offset: Int, _ message: String) {
        let position = schema.document.position(ofOffset: offset)
        let issue = CodegenIssue(
            file: file, line: position.line, column: position.column, pointer: pointer.description, message: message)
        if !issues.contains(issue) { issues.append(issue) }
    }

    /// Refuses the keywords of a schema that are not among those.
    mutating func allow(_ keywords: Set<SchemaKeyword>, names: Set<String> = [], in location: SchemaLocation) {
        for (name, _) in location.members where !names.contains(name) {
            let keyword = SchemaKeyword(rawValue: name)
            if let keyword, keywords.contains(keyword) { continue }
            let advice = keyword.map(\.advice) ?? SchemaKeyword.adviceOnOthers(name)
            if name.hasPrefix("x-swift-") {
                refuse(keyword: name, of: location, "\(name) means nothing here: take it out")
            } else if name == PlanAnnotation.priority.rawValue {
                refuse(
                    keyword: name, of: location, "only an event has a priority: write \(name) in the outermost schema")
            } else if let advice, !name.hasPrefix("x-") {
                refuse(keyword: name, of: location, "\(name) cannot be expressed in Swift types here: \(advice)")
            }
        }
    }

    // MARK: Values of keywords

    /// The text of a keyword; nil if there is none.
    mutating func text(_ keyword: String, of location: SchemaLocation) -> String? {
        guard let found = location[keyword] else { return nil }
        if found.value.string == nil { refuse(found, "\(keyword) is a text") }
        return found.value.string
    }

    mutating func text(_ keyword: SchemaKeyword, of location: SchemaLocation) -> String? {
        text(keyword.rawValue, of: location)
    }

    mutating func flag(_ keyword: SchemaKeyword, of location: SchemaLocation) -> Bool? {
        guard let found = location[keyword] else { return nil }
        if found.value.boolean == nil { refuse(found, "\(keyword.rawValue) is true or false") }
        return found.value.boolean
    }

    /// A name of Swift that an annotation gives.
    mutating func name(_ keyword: String, of location: SchemaLocation) -> String? {
        guard let name = text(keyword, of: location) else { return nil }
        guard SwiftName.isIdentifier(name), !SwiftName.unusable.contains(name) else {
            refuse(
                keyword: keyword, of: location, "\(name) is no name in Swift: use letters and digits, a letter first")
            return nil
        }
        return name
    }

    /// Refuses a `type` that is not the one of the values beside it.
    mutating func requireType(_ type: String, of location: SchemaLocation) {
        guard let said = location[.type], said.value.string != type else { return }
        refuse(said, "the values are of another type: write \"\(type)\"")
    }

    /// A pair of keywords that count something.
    mutating func counts(_ lower: SchemaKeyword, _ upper: SchemaKeyword, of location: SchemaLocation) -> ClosedRange<
        Int
    > {
        var bounds = [0, Int.max]
        for (index, keyword) in [lower, upper].enumerated() {
            guard let found = location[keyword] else { continue }
            if let count = found.value.integer, (0...Int(Int32.max)).contains(count) {
                bounds[index] = count
            } else {
                refuse(found, "\(keyword.rawValue) is an integer from 0 to \(Int32.max)")
            }
        }
        guard bounds[0] <= bounds[1] else {
            refuse(keyword: upper, of: location, "\(upper.rawValue) is less than \(lower.rawValue): no value is both")
            return 0...Int.max
        }
        return bounds[0]...bounds[1]
    }

    func description(of location: SchemaLocation) -> String { location[.description]?.value.string ?? "" }
}

/// A value of a schema with the way that leads to it.
struct SchemaLocation {
    let value: JSONDocument.Value
    let pointer: JSONPointer

    /// The whole document.
    init(_ document: JSONDocument) { self.init(value: document.root, pointer: JSONPointer()) }

    init(value: JSONDocument.Value, pointer: JSONPointer) {
        self.value = value
        self.pointer = pointer
    }

    /// The member of that name.
    subscript(name: String) -> SchemaLocation? {
        value[name].map { SchemaLocation(value: $0, pointer: pointer.appending(name)) }
    }

    /// What a keyword of the schema says.
    subscript(keyword: SchemaKeyword) -> SchemaLocation? { self[keyword.rawValue] }

    /// The members as they stand there.
    var members: [(name: String, location: SchemaLocation)] {
        value.members.map { ($0.name, SchemaLocation(value: $0.value, pointer: pointer.appending($0.name))) }
    }

    var elements: [SchemaLocation] {
        value.elements.enumerated().map { index, value in
            SchemaLocation(value: value, pointer: pointer.appending("\(index)"))
        }
    }
}
