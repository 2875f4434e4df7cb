internal import JSONSchema
internal import Primitives

/// The generator for the values of a demand.
///
/// It counts successes, so use it on one thread, like its ``ShapeTable``.
final class Shape {
    /// The kinds of values.
    enum Content {
        /// No value satisfies the demand, for this reason.
        case nothing(String)
        /// One of the alternatives of a choice, by their shape numbers.
        case alternatives([Int])
        /// One of these JSON texts.
        case constants([[UInt8]])
        /// A value of one of ``Shape/kinds``.
        case value
    }

    /// The primary schema, for errors.
    let location: SchemaSet.Location
    /// All schemas that a value must satisfy.
    let schemas: [SchemaSet.Location]
    let field: Field
    let content: Content
    /// Whether values must be checked, because construction cannot guarantee all rules.
    let isChecked: Bool
    /// The possible types, with their weights.
    var kinds: [(kind: JSONKind, weight: Int)] = []
    var number = NumberShape()
    var text = TextShape()
    var array: ArrayShape?
    var object: ObjectShape?

    init(_ demand: Demand, _ content: Content, isChecked: Bool = false) {
        location = demand.schemas[0]
        schemas = demand.schemas
        field = demand.field
        self.content = content
        self.isChecked = isChecked
    }

    /// The approximate size of the smallest value. Deeply nested values are kept small.
    var weight: Int {
        switch content {
        case .nothing: 9
        case .constants: 0
        case .alternatives: 3
        case .value:
            if !kinds.allSatisfy({ $0.kind == .array || $0.kind == .object }) {
                0
            } else if array?.minimum == 0 {
                1
            } else {
                object.map { $0.members.contains(where: \.isRequired) || $0.minimum > 0 } == false ? 1 : 2
            }
        }
    }
}

/// The numbers to generate.
struct NumberShape {
    /// Every number is a multiple of this many units.
    var grid: WideInteger = 0
    /// The first and the last multiple.
    var first: WideInteger = 0
    var last: WideInteger = -1
    /// Candidates in case there are no such multiples, as written.
    var extremes: [String] = []
    var examples: [String?] = []
}

/// The strings to generate. Lengths are in Unicode scalars.
struct TextShape {
    var minimum = 0
    var maximum = Int.max
    var patterns: [PatternSampler] = []
    /// The fields given by formats.
    var formats: [Field] = []
    /// The example in each example of the enclosing object, then the schema's own.
    var inherited: [TextExample?] = []
    var own: [TextExample] = []
    /// The number of generated texts that matched the patterns, and of those that didn't.
    var hits = 0
    var misses = 0
}

/// The arrays to generate: elements by position, then all others, as shape numbers.
struct ArrayShape {
    var minimum = 0
    var maximum = Int.max
    var isUnique = false
    var prefix: [Int] = []
    var rest = 0
    /// The demands of elements, to which required elements are added.
    var prefixDemands: [Demand] = []
    var restDemand: Demand
    var contained: [(schema: SchemaSet.Location, minimum: Int)] = []
}

/// The objects to generate.
struct ObjectShape {
    /// A member that schemas name.
    struct Member {
        let key: String
        let shape: Int
        let isRequired: Bool
        /// Whether each example contains the member.
        let isInExample: [Bool]
    }

    var minimum = 0
    var maximum = Int.max
    var members: [Member] = []
    /// The indexes of members that require others.
    var dependencies: [(member: Int, needed: Int)] = []
    /// The number of examples of the whole object.
    var examples = 0
    /// The generator for unnamed members; nil if they are not allowed.
    var others: OtherMembers?
}

/// Members without a name in the schemas.
struct OtherMembers {
    /// The schemas of members by name.
    let rules: [ObjectRules.Members]
    let unevaluated: [SchemaSet.Location]
    /// The shape number of names; nil if any name is allowed.
    let names: Int?
    /// The patterns from which to generate names. Without patterns, words are used.
    let patterns: [PatternSampler]
    let examples: [[UInt8]]
    /// The names in use, and the excluded names.
    let taken: Set<[UInt8]>
    /// The default number of such members.
    let usual: Int
    let location: SchemaSet.Location
}
