internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// Reads the schema of an event as Swift types. What has no type is a fault: nothing is loosened in silence.
struct SchemaReader {
    let schema: PlanSchema
    /// The file as messages name it.
    let file: String
    /// What was found wrong so far.
    private(set) var faults: [CodegenFault] = []
    /// The definitions that were referred to, in the order of their first use.
    var definitions: [NestedType] = []
    /// The definitions' types, by what refers to them; of those that are being read, nil.
    var definitionTypes: [String: ValueType?] = [:]
    /// The names of the types around the one that is being read, the event's first.
    var scope: [String] = []

    init(_ schema: PlanSchema, file: String) {
        self.schema = schema
        self.file = file
    }

    // MARK: Faults

    mutating func refuse(_ place: SchemaPlace, _ message: String) {
        refuse(place.pointer, at: place.value.offset, message)
    }

    /// Refuses a keyword: the place is its name.
    mutating func refuse(keyword: String, of place: SchemaPlace, _ message: String) {
        let offset = place.value.members.first { $0.name == keyword }?.offset ?? place.value.offset
        refuse(place.pointer.appending(keyword), at: offset, message)
    }

    private mutating func refuse(_ pointer: JSONPointer, at offset: Int, _ message: String) {
        let position = schema.document.position(ofOffset: offset)
        let fault = CodegenFault(
            file: file, line: position.line, column: position.column, pointer: pointer.description, message: message)
        if !faults.contains(fault) { faults.append(fault) }
    }

    /// Refuses the keywords of a schema that are not among those.
    mutating func allow(_ keywords: Set<String>, names: Set<String> = [], in place: SchemaPlace) {
        for (keyword, _) in place.members
        where !keywords.contains(keyword) && !names.contains(keyword) && !Keywords.annotations.contains(keyword) {
            if keyword.hasPrefix("x-swift-") {
                refuse(keyword: keyword, of: place, "\(keyword) means nothing here: take it out")
            } else if !keyword.hasPrefix("x-") {
                refuse(
                    keyword: keyword, of: place,
                    "\(keyword) cannot be expressed in Swift types here: \(Keywords.advice(keyword))")
            }
        }
    }

    // MARK: Values of keywords

    /// The text of a keyword; nil if there is none.
    mutating func text(_ keyword: String, of place: SchemaPlace) -> String? {
        guard let found = place[keyword] else { return nil }
        if found.value.string == nil { refuse(found, "\(keyword) is a text") }
        return found.value.string
    }

    mutating func flag(_ keyword: String, of place: SchemaPlace) -> Bool? {
        guard let found = place[keyword] else { return nil }
        if found.value.boolean == nil { refuse(found, "\(keyword) is true or false") }
        return found.value.boolean
    }

    /// A name of Swift that an annotation gives.
    mutating func name(_ keyword: String, of place: SchemaPlace) -> String? {
        guard let name = text(keyword, of: place) else { return nil }
        guard SwiftName.isIdentifier(name), !SwiftName.unusable.contains(name) else {
            refuse(keyword: keyword, of: place, "\(name) is no name in Swift: use letters and digits, a letter first")
            return nil
        }
        return name
    }

    /// Refuses a `type` that is not the one of the values beside it.
    mutating func requireType(_ type: String, of place: SchemaPlace) {
        guard let said = place["type"], said.value.string != type else { return }
        refuse(said, "the values are of another type: write \"\(type)\"")
    }

    /// A pair of keywords that count something.
    mutating func counts(_ lower: String, _ upper: String, of place: SchemaPlace) -> ClosedRange<Int> {
        var bounds = [0, Int.max]
        for (index, keyword) in [lower, upper].enumerated() {
            guard let found = place[keyword] else { continue }
            if let count = found.value.integer, (0...Int(Int32.max)).contains(count) {
                bounds[index] = count
            } else {
                refuse(found, "\(keyword) is an integer from 0 to \(Int32.max)")
            }
        }
        guard bounds[0] <= bounds[1] else {
            refuse(keyword: upper, of: place, "\(upper) is less than \(lower): no value is both")
            return 0...Int.max
        }
        return bounds[0]...bounds[1]
    }

    func description(of place: SchemaPlace) -> String { place["description"]?.value.string ?? "" }
}
