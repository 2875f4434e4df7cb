internal import JSONSchema
internal import Primitives

/// A demand, worked out: what its values look like.
///
/// It counts what succeeds, and is therefore of one thread, like the ``ShapeTable`` that it belongs to.
final class Shape {
    /// What is made of it.
    enum Content {
        /// Nothing satisfies it, for this reason.
        case nothing(String)
        /// One of these, which are numbers of shapes, the ways of a choice.
        case ways([Int])
        /// One of these texts of JSON.
        case constants([[UInt8]])
        /// A value of one of ``Shape/kinds``.
        case value
    }

    /// The schema that asked first, which errors name.
    let location: SchemaSet.Location
    /// All schemas that a value has to satisfy.
    let schemas: [SchemaSet.Location]
    let field: Field
    let content: Content
    /// Whether what was made has to be checked, because the schemas say what no making can keep to.
    let isChecked: Bool
    /// The types that are left, and how likely each is.
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

    /// How much its smallest value holds, roughly: what is nested deeply becomes small.
    var weight: Int {
        switch content {
        case .nothing: 9
        case .constants: 0
        case .ways: 3
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

/// What numbers are made.
struct NumberShape {
    /// Every number is a multiple of so many units.
    var grid: WideInteger = 0
    /// The first and the last multiple.
    var first: WideInteger = 0
    var last: WideInteger = -1
    /// Numbers to try where there are no such multiples, as they are written.
    var extremes: [String] = []
    /// Numbers of examples.
    var examples: [String?] = []
}

/// What strings are made; lengths in Unicode scalars.
struct TextShape {
    var minimum = 0
    var maximum = Int.max
    var patterns: [PatternSampler] = []
    /// What formats say.
    var formats: [Field] = []
    /// What the example of the object shows here, by the example's place; then the schema's own.
    var inherited: [TextExample?] = []
    var own: [TextExample] = []
    /// How often a text of the field satisfied the patterns, and how often not.
    var hits = 0
    var misses = 0
}

/// What arrays are made. Elements by their places, then all others; numbers of shapes.
struct ArrayShape {
    var minimum = 0
    var maximum = Int.max
    var isUnique = false
    var prefix: [Int] = []
    var rest = 0
    /// The demands of the elements: what must be among them is added to them.
    var prefixDemands: [Demand] = []
    var restDemand: Demand
    var contained: [(schema: SchemaSet.Location, minimum: Int)] = []
}

/// What objects are made.
struct ObjectShape {
    /// A member that schemas name.
    struct Member {
        let key: String
        /// The number of its shape.
        let shape: Int
        let isRequired: Bool
        /// Whether each of the examples has it.
        let isInExample: [Bool]
    }

    var minimum = 0
    var maximum = Int.max
    var members: [Member] = []
    /// Places of members that need others.
    var dependencies: [(member: Int, needed: Int)] = []
    /// How many examples there are of the whole.
    var examples = 0
    /// How members are found that no schema names; nil if there may be none.
    var others: OtherMembers?
}

/// Members that no schema names.
struct OtherMembers {
    /// What schemas say of members by their names.
    let rules: [ObjectRules.Members]
    let unevaluated: [SchemaSet.Location]
    /// What names have to be, the number of a shape; nil if anything goes.
    let names: Int?
    /// The patterns that names are made of; without any, words.
    let patterns: [PatternSampler]
    /// Names that examples show.
    let examples: [[UInt8]]
    /// Names that are taken, or must not be.
    let taken: Set<[UInt8]>
    /// How many there are, if nobody asks for more.
    let usual: Int
    /// The schema that asks for the object.
    let location: SchemaSet.Location
}
