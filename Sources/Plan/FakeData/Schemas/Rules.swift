internal import JSONSchema

/// What all schemas of a demand say together, keyword by keyword.
struct Rules {
    /// The types that are left; whole numbers by ``number``.
    var kinds = JSONKind.any
    /// The types that keywords speak of: likelier than the others where no type is asked for.
    var spokenOf: JSONKind = []
    /// Whether nothing satisfies them.
    var isNothing = false
    /// Whether they say what no making can keep to: what was made is checked, and made again.
    var isChecked = false
    /// The values of `enum` and `const`, of the keyword that has the fewest; nil for any value.
    var constants: [JSONDocument.Value]?
    var number = NumberRules()
    var text = TextRules()
    var array = ArrayRules()
    var object = ObjectRules()
    /// The ways that are still open.
    var choices: [(choice: Choice, ways: [Way])] = []
    /// The values of `examples`.
    var examples: [SchemaSet.Place] = []
}

/// What is asked of a string; lengths in Unicode scalars.
struct TextRules {
    var minimum = 0
    var maximum = Int.max
    var patterns: [String] = []
    var formats: [String] = []
}

/// What is asked of an array.
struct ArrayRules {
    /// What one schema says of elements by their places.
    struct Elements {
        let prefix: [SchemaSet.Place]
        let items: SchemaSet.Place?
    }

    var minimum = 0
    var maximum = Int.max
    var isUnique = false
    var elements: [Elements] = []
    /// What must be among the elements, and how often.
    var contained: [(schema: SchemaSet.Place, minimum: Int)] = []
    /// What is asked of the elements that nothing else speaks of.
    var unevaluated: [SchemaSet.Place] = []
}

/// What is asked of an object.
struct ObjectRules {
    /// What one schema says of members by their names.
    struct Members {
        let properties: [(name: [UInt8], schema: SchemaSet.Place)]
        let patterns: [(pattern: PatternSampler, schema: SchemaSet.Place)]
        let additional: SchemaSet.Place?

        /// The schemas for a member; nothing is said of it if there is none.
        func schemas(for name: [UInt8]) -> [SchemaSet.Place] {
            var found = properties.filter { $0.name == name }.map(\.schema)
            found += patterns.filter { $0.pattern.finds(in: name) }.map(\.schema)
            if found.isEmpty, let additional { found.append(additional) }
            return found
        }
    }

    var minimum = 0
    var maximum = Int.max
    var members: [Members] = []
    var required: [[UInt8]] = []
    /// Names that need others.
    var dependencies: [(name: [UInt8], needed: [UInt8])] = []
    /// What is asked of names.
    var names: [SchemaSet.Place] = []
    /// What is asked of the members that nothing else speaks of.
    var unevaluated: [SchemaSet.Place] = []
}
