/// A place in a side table of a program; ``none`` for nothing.
typealias ProgramIndex = Int32

extension ProgramIndex {
    static let none: ProgramIndex = -1

    @inline(__always)
    var exists: Bool { self >= 0 }
}

/// Consecutive entries of a side table.
struct ProgramRange: BitwiseCopyable, Sendable {
    var start: Int32 = 0
    var count: Int32 = 0

    @inline(__always)
    var isEmpty: Bool { count == 0 }
    @inline(__always)
    var indices: Range<Int> { Int(start)..<Int(start + count) }
}

/// One schema of a program.
struct SchemaNode: BitwiseCopyable, Sendable {
    enum Kind: UInt8 { case rules, everything, nothing }

    var kind: Kind = .rules
    /// What the keyword `type` lets through.
    var types: JSONKind = .any
    /// Whether it can be decided in one pass over the bytes, all that lies below included or delegated.
    var isStreamable = true
    /// A schema that says the same: where a lone `$ref` leads in the end. Itself, if it is none.
    var target: ProgramIndex = .none
    var number: ProgramIndex = .none
    var string: ProgramIndex = .none
    var array: ProgramIndex = .none
    var object: ProgramIndex = .none
    var logic: ProgramIndex = .none
    /// `enum` and `const`.
    var values = ProgramRange()
    /// The schema resource it belongs to.
    var resource: Int32 = 0
}

/// Rules for numbers.
struct NumberRules: BitwiseCopyable, Sendable {
    /// What an integer of at most 18 digits must keep to, worked out of all four bounds.
    var low = Int64.min
    var high = Int64.max
    /// A divisor that integers of at most 18 digits can be divided by; 0 if there is none, -1 if it is not such.
    var divisor: Int64 = 0
    /// Whole numbers of the constant table.
    var minimum: ProgramIndex = .none
    var maximum: ProgramIndex = .none
    var exclusiveMinimum: ProgramIndex = .none
    var exclusiveMaximum: ProgramIndex = .none
    /// A divisor, and the constant it was made of.
    var multipleOf: ProgramIndex = .none
    var multipleOfText: ProgramIndex = .none
}

/// Rules for strings; lengths in Unicode scalars.
struct StringRules: BitwiseCopyable, Sendable {
    var minimumLength: Int64 = 0
    var maximumLength = Int64.max
    var pattern: ProgramIndex = .none
    var format: StringFormat?
    var hasLengths = false
}

/// Rules for arrays.
struct ArrayRules: BitwiseCopyable, Sendable {
    var prefix = ProgramRange()
    var items: ProgramIndex = .none
    var contains: ProgramIndex = .none
    var minimumContains: Int64 = 1
    var maximumContains = Int64.max
    var minimumItems: Int64 = 0
    var maximumItems = Int64.max
    var isUnique = false
}

/// Rules for objects.
struct ObjectRules: BitwiseCopyable, Sendable {
    /// The names that the schema mentions: their places are the slots below.
    var names: ProgramIndex = .none
    /// The slots that are required, while there are at most 64 names.
    var requiredMask: UInt64 = 0
    /// The slots that are required, in the order of the keyword.
    var required = ProgramRange()
    var patterns = ProgramRange()
    var additional: ProgramIndex = .none
    var propertyNames: ProgramIndex = .none
    var dependentRequired = ProgramRange()
    var minimumProperties: Int64 = 0
    var maximumProperties = Int64.max
}

/// Names that need other names.
struct NameDependency: BitwiseCopyable, Sendable {
    let slot: Int32
    let needed: Int32
}

/// A schema for names that a pattern finds.
struct PatternProperty: BitwiseCopyable, Sendable {
    let pattern: ProgramIndex
    let node: ProgramIndex
}

/// Schemas that are applied to the same value, and those for what is left over.
struct LogicRules: BitwiseCopyable, Sendable {
    var reference: ProgramIndex = .none
    var dynamicReference: ProgramIndex = .none
    /// The number of the anchor that a dynamic reference looks for; none if it is like `$ref`.
    var dynamicAnchor: ProgramIndex = .none
    var allOf = ProgramRange()
    var anyOf = ProgramRange()
    var oneOf = ProgramRange()
    var not: ProgramIndex = .none
    var condition: ProgramIndex = .none
    var consequence: ProgramIndex = .none
    var alternative: ProgramIndex = .none
    /// A table of names with their schemas, and how many there are.
    var dependentSchemas = ProgramRange()
    var unevaluatedItems: ProgramIndex = .none
    var unevaluatedProperties: ProgramIndex = .none

    var hasUnevaluated: Bool { unevaluatedItems.exists || unevaluatedProperties.exists }
}

/// Where an anchor of a schema resource leads.
struct DynamicAnchor: BitwiseCopyable, Sendable {
    let resource: Int32
    let anchor: ProgramIndex
    let node: ProgramIndex
}

/// The values that `enum` or `const` allows.
struct ValueRules: BitwiseCopyable, Sendable {
    /// `null` and booleans among them.
    var allowsNull = false
    var allowsTrue = false
    var allowsFalse = false
    /// Strings among them, as a table of names.
    var strings: ProgramIndex = .none
    /// Numbers among them, in the table of constants.
    var numbers = ProgramRange()
    /// Arrays and objects among them, in the table of constants.
    var composites = ProgramRange()
    /// Whether it was written as `const`.
    var isConstant = false
}

/// A value that stands in a schema.
struct SchemaConstant: BitwiseCopyable, Sendable {
    /// Its document and its node there.
    let document: Int32
    let value: Int32
    /// Its value if it is a whole number of at most 18 digits.
    let integer: Int64
    let isInteger: Bool
}
