internal import JSONSchema
internal import Primitives

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
    var examples: [SchemaSet.Location] = []
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
        let prefix: [SchemaSet.Location]
        let items: SchemaSet.Location?
    }

    var minimum = 0
    var maximum = Int.max
    var isUnique = false
    var elements: [Elements] = []
    /// What must be among the elements, and how often.
    var contained: [(schema: SchemaSet.Location, minimum: Int)] = []
    /// What is asked of the elements that nothing else speaks of.
    var unevaluated: [SchemaSet.Location] = []
}

/// What is asked of an object.
struct ObjectRules {
    /// What one schema says of members by their names.
    struct Members {
        let properties: [(name: [UInt8], schema: SchemaSet.Location)]
        let patterns: [(pattern: PatternSampler, schema: SchemaSet.Location)]
        let additional: SchemaSet.Location?

        /// The schemas for a member; nothing is said of it if there is none.
        func schemas(for name: [UInt8]) -> [SchemaSet.Location] {
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
    var names: [SchemaSet.Location] = []
    /// What is asked of the members that nothing else speaks of.
    var unevaluated: [SchemaSet.Location] = []
}

/// What is asked of a number: exact, in units of `ScaledDecimal`.
struct NumberRules {
    var isWhole = false
    var lower: ScaledDecimal?
    var upper: ScaledDecimal?
    var excludesLower = false
    var excludesUpper = false
    /// Every number is a multiple of so many units; nil for any.
    var grid: WideInteger?
    /// Bounds as they are written that are past what can be worked with: numbers to try.
    var extremes: [String] = []

    /// Takes in a keyword with its number.
    ///
    /// - Returns: false if it cannot be kept to, so that what is made must be checked.
    mutating func add(_ keyword: SchemaKeyword, _ text: String) -> Bool {
        guard let number = ScaledDecimal(text) else {
            extremes.append(text)
            return false
        }
        switch keyword {
        case .minimum: raise(to: number, excluded: false)
        case .exclusiveMinimum: raise(to: number, excluded: true)
        case .maximum: limit(to: number, excluded: false)
        case .exclusiveMaximum: limit(to: number, excluded: true)
        default: return put(on: number.units)
        }
        return true
    }

    private mutating func raise(to number: ScaledDecimal, excluded: Bool) {
        guard lower.map({ number > $0 || number == $0 && excluded }) ?? true else { return }
        (lower, excludesLower) = (number, excluded)
    }

    private mutating func limit(to number: ScaledDecimal, excluded: Bool) {
        guard upper.map({ number < $0 || number == $0 && excluded }) ?? true else { return }
        (upper, excludesUpper) = (number, excluded)
    }

    /// - Returns: false if the multiples of both cannot be worked with.
    mutating func put(on other: WideInteger) -> Bool {
        guard other > 0 else { return false }
        guard let grid else {
            self.grid = other
            return true
        }
        var (left, right) = (grid, other)
        while right != 0 { (left, right) = (right, left % right) }
        guard let common = (grid / left).multiplied(by: other), common < ScaledDecimal.limit else { return false }
        self.grid = common
        return true
    }
}
