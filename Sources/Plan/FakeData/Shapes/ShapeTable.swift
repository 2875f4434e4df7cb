internal import JSONSchema
internal import TrackingPlan

/// The shapes of a schema, created on demand. Use it on one thread at a time.
final class ShapeTable {
    private(set) var set: SchemaSet
    /// The complete schema.
    let root: SchemaSet.Location
    /// A schema that accepts everything, and a schema that accepts all strings.
    let anything: SchemaSet.Location
    let anyText: SchemaSet.Location
    private let assertsFormats: Bool
    private var numbers: [Demand: Int] = [:]
    private var demands: [Demand] = []
    private var shapes: [Shape?] = []
    /// The validators; nil for a schema that does not compile separately.
    private var validators: [SchemaSet.Location: ReusedValidator?] = [:]

    /// Makes an empty table for the schema at a URI; nil if the set has none.
    ///
    /// - Throws: `SchemaError` for an invalid schema.
    init?(_ set: SchemaSet, at uri: String, assertsFormats: Bool) throws {
        var set = set
        let own = (anything: "fake-data:anything", anyText: "fake-data:text")
        try set.add(JSONDocument("true".utf8), at: own.anything)
        try set.add(JSONDocument(#"{"type":"string"}"#.utf8), at: own.anyText)
        guard let root = try set.location(of: uri), let anything = try set.location(of: own.anything),
            let anyText = try set.location(of: own.anyText)
        else { return nil }
        self.set = set
        self.root = root
        self.anything = anything
        self.anyText = anyText
        self.assertsFormats = assertsFormats
    }

    func number(of demand: Demand) -> Int {
        if let known = numbers[demand] { return known }
        numbers[demand] = demands.count
        demands.append(demand)
        shapes.append(nil)
        return demands.count - 1
    }

    /// Returns the shape for a number of ``number(of:)``.
    func shape(_ number: Int) -> Shape {
        if let known = shapes[number] { return known }
        let shape = make(demands[number])
        shapes[number] = shape
        return shape
    }

    /// Returns whether a JSON text satisfies a schema; true if the schema does not compile separately.
    func accepts(_ text: UnsafeRawBufferPointer, _ location: SchemaSet.Location) -> Bool {
        if let known = validators[location] { return known.map { $0.validator.verdict(on: text) == .valid } ?? true }
        let options = SchemaOptions(assertsFormats: assertsFormats)
        // A part that no reference leads to may not compile separately; the complete value is checked anyway.
        let schema = try? set.compile(set.location(of: location), options: options)
        validators[location] = .some(schema.map { ReusedValidator($0) })
        return accepts(text, location)
    }

    /// Returns whether a JSON text satisfies all schemas of a demand.
    func accepts(_ text: UnsafeRawBufferPointer, _ locations: [SchemaSet.Location]) -> Bool {
        locations.allSatisfy { accepts(text, $0) }
    }

    private func make(_ demand: Demand) -> Shape {
        var reader = RuleReader(demand, in: set, from: root)
        reader.read()
        set = reader.set
        let rules = reader.rules
        if rules.isNothing { return Shape(demand, .nothing("the schema accepts no value here")) }
        if let constants = rules.constants { return constantShape(demand, constants) }
        if let (choice, alternatives) = rules.choices.first {
            return Shape(
                demand, .alternatives(alternatives.map { number(of: demand.selecting(choice, $0)) }), isChecked: true)
        }
        return valueShape(demand, rules)
    }

    private func constantShape(_ demand: Demand, _ constants: [JSONDocument.Value]) -> Shape {
        let texts = constants.map(\.compact).filter { text in
            text.withUnsafeBytes { accepts($0, demand.schemas) }
        }
        guard !texts.isEmpty else {
            return Shape(demand, .nothing("no value of enum or const satisfies the rest of the schema"))
        }
        return Shape(demand, .constants(texts))
    }

    private func valueShape(_ demand: Demand, _ rules: Rules) -> Shape {
        var kinds = rules.kinds
        var isChecked = rules.isChecked
        var number: NumberShape?
        var text: TextShape?
        var array: ArrayShape?
        var object: ObjectShape?
        if kinds.contains(.number) {
            number = numberShape(demand, rules: rules, isChecked: &isChecked)
            if number == nil { kinds.remove(.number) }
        }
        if kinds.contains(.string) {
            text = textShape(demand, rules: rules, isChecked: &isChecked)
            if text == nil { kinds.remove(.string) }
        }
        if kinds.contains(.array) {
            array = arrayShape(demand, rules)
            if array == nil { kinds.remove(.array) }
        }
        if kinds.contains(.object) {
            object = objectShape(demand, rules)
            if object == nil { kinds.remove(.object) }
        }
        guard !kinds.isEmpty else { return Shape(demand, .nothing("no type and size of a value is possible")) }
        let shape = Shape(demand, .value, isChecked: isChecked)
        shape.kinds = Self.weights(kinds, spokenOf: rules.spokenOf, field: demand.field)
        shape.number = number ?? shape.number
        shape.text = text ?? shape.text
        shape.array = array
        shape.object = object
        return shape
    }

    /// Returns the types with their weights: those with keywords if there are any, else the usual types of the field.
    private static func weights(_ kinds: JSONKind, spokenOf: JSONKind, field: Field) -> [(JSONKind, Int)] {
        let all: [JSONKind] = [.string, .number, .boolean, .null, .array, .object]
        let left = all.filter(kinds.contains)
        let isOpen = kinds == .any
        return left.map { kind in
            if !spokenOf.isDisjoint(with: kinds) { return (kind, spokenOf.contains(kind) ? 90 : isOpen ? 1 : 10) }
            if isOpen { return (kind, field.kind == kind ? 90 : kind == .array || kind == .object ? 0 : 1) }
            return (kind, kind == .null ? 10 : 50)
        }
    }
}

extension Field {
    /// The default type of the field's values.
    var kind: JSONKind {
        switch self {
        case .page, .count, .price, .percent, .rating, .age, .year, .latitude, .longitude, .size, .milliseconds,
            .seconds:
            .number
        case .flag: .boolean
        default: .string
        }
    }
}
