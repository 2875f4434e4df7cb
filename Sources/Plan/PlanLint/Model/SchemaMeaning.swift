internal import JSONSchema
internal import TrackingPlan

/// The constraints that a subschema puts on its values, including references and combined schemas.
struct SchemaMeaning: Sendable {
    /// Facts about the values of each type. Every fact holds for a type that the schema doesn't accept.
    struct Facts: OptionSet, Sendable {
        let rawValue: UInt8

        /// Strings have a limited length.
        static let boundedText = Facts(rawValue: 1)
        /// Strings are marked with `x-pii`, or need no mark.
        static let markedText = Facts(rawValue: 2)
        /// Objects reject undescribed members, or have a reason to accept them.
        static let closed = Facts(rawValue: 4)
        /// Objects are marked with `x-pii`, or closed.
        static let markedObject = Facts(rawValue: 8)
        /// Integers have a safe lower limit.
        static let lower = Facts(rawValue: 16)
        /// Integers have a safe upper limit.
        static let upper = Facts(rawValue: 32)
        /// Arrays have a limited length.
        static let boundedArray = Facts(rawValue: 64)

        static let all: Facts = [.boundedText, .markedText, .closed, .markedObject, .lower, .upper, .boundedArray]
    }

    /// The types that a value may have; ``ValueTypes/all`` if the schema doesn't limit them.
    private(set) var types: ValueTypes
    private(set) var facts: Facts
    var describesMembers: Bool

    /// The meaning of a schema that accepts no value.
    static let nothing = SchemaMeaning(types: [], facts: .all, describesMembers: false)
    /// The meaning of a schema that accepts any value.
    static let anything = SchemaMeaning(types: .all, facts: [], describesMembers: false)

    /// Whether the schema accepts a type explicitly.
    func accepts(_ type: ValueTypes) -> Bool { types != .all && !types.isDisjoint(with: type) }

    /// Whether the schema accepts objects explicitly, by type or by describing members.
    var acceptsObjects: Bool { accepts(.object) || describesMembers && types.contains(.object) }

    /// Whether integers are the only numbers that the schema accepts.
    var acceptsIntegers: Bool { accepts(.integer) && !types.contains(.fraction) }

    /// Returns the meaning of values that satisfy both.
    func and(_ other: SchemaMeaning) -> SchemaMeaning {
        let types = types.intersection(other.types)
        return SchemaMeaning(
            types: types, facts: facts.union(other.facts).union(Self.idle(types)),
            describesMembers: describesMembers || other.describesMembers)
    }

    /// Returns the meaning of values that satisfy either.
    func or(_ other: SchemaMeaning) -> SchemaMeaning {
        SchemaMeaning(
            types: types.union(other.types), facts: facts.intersection(other.facts),
            describesMembers: describesMembers || other.describesMembers)
    }

    /// Returns the facts about the types that are not accepted.
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
    /// Reads the keywords of one subschema, without references and combined schemas.
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

    /// Returns the facts that the keywords establish. The switch has no `default`: a rule may require a new keyword
    /// that limits values.
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
            // Types, listed values and schemas of the same value are read separately.
            case .type, .enum, .const, .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .if, .then, .else,
                .dependentSchemas:
                break
            // These keywords apply to members and elements, which are separate values.
            case .properties, .patternProperties, .propertyNames, .prefixItems, .contains, .unevaluatedItems: break
            // These keywords limit nothing that a rule requires.
            case .multipleOf, .minLength, .pattern, .minItems, .uniqueItems, .maxContains, .minContains,
                .maxProperties, .minProperties, .required, .dependentRequired:
                break
            // These keywords don't limit values.
            case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .contentEncoding,
                .contentMediaType, .contentSchema, .title, .description, .default, .deprecated, .readOnly, .writeOnly,
                .examples:
                break
            }
        }
        return facts
    }

    /// Returns whether every reader keeps the digits of integers up to a limit.
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
    /// A number that is not an integer.
    static let fraction = ValueTypes(rawValue: 8)
    static let string = ValueTypes(rawValue: 16)
    static let array = ValueTypes(rawValue: 32)
    static let object = ValueTypes(rawValue: 64)

    static let all: ValueTypes = [.null, .boolean, .integer, .fraction, .string, .array, .object]

    /// Returns the types for a name in the keyword `type`; nil if the name is unknown.
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

    /// Returns the type of a value.
    init(of value: JSONDocument.Value) {
        self =
            switch value.kind {
            case .null: .null
            case .boolean: .boolean
            case .string: .string
            case .array: .array
            case .object: .object
            // Whether the number is an integer doesn't matter: a listed number has its limits.
            default: [.integer, .fraction]
            }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}
