/// An index in a side table of a program; ``none`` for no entry.
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
    /// The types that the keyword `type` accepts.
    var types: JSONKind = .any
    /// Whether it can be checked in one pass over the bytes, with all subschemas checked or delegated.
    var isStreamable = true
    /// The final target of a lone `$ref`; the node itself if it is not one.
    var target: ProgramIndex = .none
    var number: ProgramIndex = .none
    var string: ProgramIndex = .none
    var array: ProgramIndex = .none
    var object: ProgramIndex = .none
    var logic: ProgramIndex = .none
    /// `enum` and `const`.
    var values = ProgramRange()
    /// The schema resource that contains it.
    var resource: Int32 = 0
}

struct NumberRules: BitwiseCopyable, Sendable {
    /// The range of integers of at most 18 digits, combined from all four bounds.
    var low = Int64.min
    var high = Int64.max
    /// The divisor of integers of at most 18 digits; 0 if there is none, -1 if it does not fit.
    var divisor: Int64 = 0
    /// Indexes in the table of constants.
    var minimum: ProgramIndex = .none
    var maximum: ProgramIndex = .none
    var exclusiveMinimum: ProgramIndex = .none
    var exclusiveMaximum: ProgramIndex = .none
    /// A divisor, and the constant from which it was made.
    var multipleOf: ProgramIndex = .none
    var multipleOfText: ProgramIndex = .none
}

/// Rules for strings. Lengths are in Unicode scalars.
struct StringRules: BitwiseCopyable, Sendable {
    var minimumLength: Int64 = 0
    var maximumLength = Int64.max
    var pattern: ProgramIndex = .none
    var format: StringFormat?
    var hasLengths = false
}

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

struct ObjectRules: BitwiseCopyable, Sendable {
    /// The names that the schema mentions. Their indexes are the slots below.
    var names: ProgramIndex = .none
    /// The required slots as bits, for at most 64 names.
    var requiredMask: UInt64 = 0
    /// The required slots, in the order of the keyword.
    var required = ProgramRange()
    var patterns = ProgramRange()
    var additional: ProgramIndex = .none
    var propertyNames: ProgramIndex = .none
    var dependentRequired = ProgramRange()
    var minimumProperties: Int64 = 0
    var maximumProperties = Int64.max
}

/// A name that requires another name.
struct NameDependency: BitwiseCopyable, Sendable {
    let slot: Int32
    let needed: Int32
}

/// A schema for names that match a pattern.
struct PatternProperty: BitwiseCopyable, Sendable {
    let pattern: ProgramIndex
    let node: ProgramIndex
}

/// Schemas of the same value, and those for unevaluated parts.
struct LogicRules: BitwiseCopyable, Sendable {
    var reference: ProgramIndex = .none
    var dynamicReference: ProgramIndex = .none
    /// The number of the anchor of a dynamic reference; none if it acts like `$ref`.
    var dynamicAnchor: ProgramIndex = .none
    var allOf = ProgramRange()
    var anyOf = ProgramRange()
    var oneOf = ProgramRange()
    var not: ProgramIndex = .none
    var condition: ProgramIndex = .none
    var consequence: ProgramIndex = .none
    var alternative: ProgramIndex = .none
    /// A table of names with their schemas, and their number.
    var dependentSchemas = ProgramRange()
    var unevaluatedItems: ProgramIndex = .none
    var unevaluatedProperties: ProgramIndex = .none

    var hasUnevaluated: Bool { unevaluatedItems.exists || unevaluatedProperties.exists }
}

/// The target of an anchor in a schema resource.
struct DynamicAnchor: BitwiseCopyable, Sendable {
    let resource: Int32
    let anchor: ProgramIndex
    let node: ProgramIndex
}

/// The values that `enum` or `const` allows.
struct ValueRules: BitwiseCopyable, Sendable {
    /// Whether null and the booleans are allowed.
    var allowsNull = false
    var allowsTrue = false
    var allowsFalse = false
    /// The allowed strings, as a table of names.
    var strings: ProgramIndex = .none
    /// The allowed numbers, in the table of constants.
    var numbers = ProgramRange()
    /// The allowed arrays and objects, in the table of constants.
    var composites = ProgramRange()
    /// Whether the keyword is `const`.
    var isConstant = false
}

struct SchemaConstant: BitwiseCopyable, Sendable {
    /// Its document and its node there.
    let document: Int32
    let value: Int32
    /// The value if it is an integer of at most 18 digits.
    let integer: Int64
    let isInteger: Bool
}
