internal import JSONSchema

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
    init(of node: SchemaNode) {
        guard node.value.kind == .object else {
            self = node.value.boolean == false ? .nothing : .anything
            return
        }
        var types = node.types.compactMap { ValueTypes(named: $0) }.reduce(ValueTypes()) { $0.union($1) }
        if types.isEmpty { types = .all }
        if let values = node["enum"]?.elements ?? node["const"].map({ [$0] }) {
            types.formIntersection(values.reduce(ValueTypes()) { $0.union(ValueTypes(of: $1)) })
        }
        self.init(
            types: types, facts: Self.facts(of: node).union(Self.idle(types)),
            describesMembers: node["properties"] != nil)
    }

    private static func facts(of node: SchemaNode) -> Facts {
        guard !node.isListed else { return .all }
        var facts: Facts = []
        let format = node["format"]?.string ?? ""
        let isMarked = node["x-pii"] != nil
        if node["maxLength"] != nil || Formats.bounded.contains(format) { facts.insert(.boundedText) }
        if isMarked || Formats.impersonal.contains(format) { facts.insert(.markedText) }
        if node.isClosed || node.openReason != nil { facts.insert(.closed) }
        if node.isClosed || isMarked { facts.insert(.markedObject) }
        if ["minimum", "exclusiveMinimum"].contains(where: { isSafe(node[$0]) }) { facts.insert(.lower) }
        if ["maximum", "exclusiveMaximum"].contains(where: { isSafe(node[$0]) }) { facts.insert(.upper) }
        let isTuple = node["prefixItems"] != nil && node["items"]?.boolean == false
        if node["maxItems"] != nil || isTuple { facts.insert(.boundedArray) }
        return facts
    }

    /// Whether every reader keeps the digits of integers up to a limit.
    static func isSafe(_ limit: JSONDocument.Value?) -> Bool {
        guard let limit, let text = limit.number, let number = Double(text) else { return false }
        return number.magnitude <= 9_007_199_254_740_991
    }
}
