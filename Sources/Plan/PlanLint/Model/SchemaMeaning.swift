internal import JSONSchema
internal import TrackingPlan

/// What a subschema says of its values, with all that it refers to and combines.
struct SchemaMeaning: Sendable {
    /// What holds for each value of a type; for the types that are not taken, all of it.
    struct Facts: OptionSet, Sendable {
        let rawValue: UInt8

        /// Strings cannot be long.
        static let boundedText = Facts(rawValue: 1)
        /// Strings are marked with `x-pii`, or need no mark.
        static let markedText = Facts(rawValue: 2)
        /// Objects take no member that is not described, or say why they do.
        static let closed = Facts(rawValue: 4)
        /// Objects are marked with `x-pii`, or closed.
        static let markedObject = Facts(rawValue: 8)
        /// Integers have a safe lower limit.
        static let lower = Facts(rawValue: 16)
        /// Integers have a safe upper limit.
        static let upper = Facts(rawValue: 32)
        /// Arrays cannot be long.
        static let boundedArray = Facts(rawValue: 64)

        static let all: Facts = [.boundedText, .markedText, .closed, .markedObject, .lower, .upper, .boundedArray]
    }

    /// The types that a value may have; ``ValueTypes/all`` if nothing says.
    private(set) var types: ValueTypes
    private(set) var facts: Facts
    /// Whether members of objects are described somewhere.
    var describesMembers: Bool

    /// No value at all.
    static let nothing = SchemaMeaning(types: [], facts: .all, describesMembers: false)
    /// Any value.
    static let anything = SchemaMeaning(types: .all, facts: [], describesMembers: false)

    /// Whether a type is taken, and somebody meant it to be.
    func takes(_ type: ValueTypes) -> Bool { types != .all && !types.isDisjoint(with: type) }

    /// Whether objects are taken, and somebody meant them to be.
    var takesObjects: Bool { takes(.object) || describesMembers && types.contains(.object) }

    /// Whether integers are taken, and no other number.
    var takesIntegers: Bool { takes(.integer) && !types.contains(.fraction) }

    /// What holds if both hold.
    func and(_ other: SchemaMeaning) -> SchemaMeaning {
        let types = types.intersection(other.types)
        return SchemaMeaning(
            types: types, facts: facts.union(other.facts).union(Self.idle(types)),
            describesMembers: describesMembers || other.describesMembers)
    }

    /// What holds if one of the two holds.
    func or(_ other: SchemaMeaning) -> SchemaMeaning {
        SchemaMeaning(
            types: types.union(other.types), facts: facts.intersection(other.facts),
            describesMembers: describesMembers || other.describesMembers)
    }

    /// What holds of the types that are not taken.
    private static func idle(_ types: ValueTypes) -> Facts {
        var facts: Facts = []
        if !types.contains(.string) { facts.formUnion([.boundedText, .markedText]) }
        if !types.contains(.object) { facts.formUnion([.closed, .markedObject]) }
        if !types.contains(.integer) { facts.formUnion([.lower, .upper]) }
        if !types.contains(.array) { facts.insert(.boundedArray) }
        return facts
    }
}

extension SchemaMeaning {
    /// What a subschema says by itself.
    init(of node: Subschema) {
        guard node.value.kind == .object else {
            self = node.value.boolean == false ? .nothing : .anything
            return
        }
        var types = node.types.compactMap { ValueTypes(named: $0) }.reduce(ValueTypes()) { $0.union($1) }
        if types.isEmpty { types = .all }
        if let values = node[.enum]?.elements ?? node[.const].map({ [$0] }) {
            types.formIntersection(values.reduce(ValueTypes()) { $0.union(ValueTypes(of: $1)) })
        }
        self.init(
            types: types, facts: Self.facts(of: node).union(Self.idle(types)),
            describesMembers: node[.properties] != nil)
    }

    /// What each keyword holds for; without `default`: a keyword that limits a value of its type may be one that rules
    /// ask for.
    private static func facts(of node: Subschema) -> Facts {
        guard !node.isListed else { return .all }
        var facts: Facts = []
        if node.openReason != nil { facts.insert(.closed) }
        if node[.pii] != nil { facts.formUnion([.markedText, .markedObject]) }
        for (keyword, member) in node.keywords {
            switch keyword {
            case .maxLength: facts.insert(.boundedText)
            case .format:
                let format = member.value.string ?? ""
                if Formats.bounded.contains(format) { facts.insert(.boundedText) }
                if Formats.impersonal.contains(format) { facts.insert(.markedText) }
            case .additionalProperties, .unevaluatedProperties:
                if member.value.boolean == false { facts.formUnion([.closed, .markedObject]) }
            case .minimum, .exclusiveMinimum: if isSafe(member.value) { facts.insert(.lower) }
            case .maximum, .exclusiveMaximum: if isSafe(member.value) { facts.insert(.upper) }
            case .maxItems: facts.insert(.boundedArray)
            case .items:
                if member.value.boolean == false, node[.prefixItems] != nil { facts.insert(.boundedArray) }
            // Types and values are read by themselves, other schemas with what they say of the same value.
            case .type, .enum, .const, .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .if, .then, .else,
                .dependentSchemas:
                break
            // About members and elements, which are values of their own.
            case .properties, .patternProperties, .propertyNames, .prefixItems, .contains, .unevaluatedItems: break
            // They bound nothing that a rule asks for.
            case .multipleOf, .minLength, .pattern, .minItems, .uniqueItems, .maxContains, .minContains,
                .maxProperties, .minProperties, .required, .dependentRequired:
                break
            // They limit no value.
            case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .contentEncoding,
                .contentMediaType, .contentSchema, .title, .description, .default, .deprecated, .readOnly, .writeOnly,
                .examples:
                break
            }
        }
        return facts
    }

    /// Whether every reader keeps the digits of integers up to a limit.
    private static func isSafe(_ limit: JSONDocument.Value) -> Bool {
        guard let text = limit.number, let number = Double(text) else { return false }
        return number.magnitude <= 9_007_199_254_740_991
    }
}

/// The types that a value may have.
struct ValueTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = ValueTypes(rawValue: 1)
    static let boolean = ValueTypes(rawValue: 2)
    static let integer = ValueTypes(rawValue: 4)
    /// A number that is no integer.
    static let fraction = ValueTypes(rawValue: 8)
    static let string = ValueTypes(rawValue: 16)
    static let array = ValueTypes(rawValue: 32)
    static let object = ValueTypes(rawValue: 64)

    static let all: ValueTypes = [.null, .boolean, .integer, .fraction, .string, .array, .object]

    /// The types of a name of the keyword `type`; nil if it is none.
    init?(named name: String) {
        switch name {
        case "null": self = .null
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = [.integer, .fraction]
        case "string": self = .string
        case "array": self = .array
        case "object": self = .object
        default: return nil
        }
    }

    /// The type of a value.
    init(of value: JSONDocument.Value) {
        self =
            switch value.kind {
            case .null: .null
            case .boolean: .boolean
            case .string: .string
            case .array: .array
            case .object: .object
            // Whether it is whole says little here: a number is bounded as one that is.
            default: [.integer, .fraction]
            }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}
