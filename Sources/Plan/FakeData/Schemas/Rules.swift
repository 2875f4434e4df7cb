internal import JSONSchema
internal import Primitives

/// The combined rules of a demand's schemas.
struct Rules {
    /// The possible types; integers are further limited by ``number``.
    var kinds = JSONKind.any
    /// The types to which keywords apply, which are preferred if no type is given.
    var spokenOf: JSONKind = []
    /// Whether no value satisfies the rules.
    var isNothing = false
    /// Whether construction cannot guarantee all rules, so that values must be checked and, if invalid, regenerated.
    var isChecked = false
    /// The values of `enum` or `const`, from the keyword with the fewest values; nil for any value.
    var constants: [JSONDocument.Value]?
    var number = NumberRules()
    var text = TextRules()
    var array = ArrayRules()
    var object = ObjectRules()
    /// The open choices.
    var choices: [(choice: Choice, alternatives: [Alternative])] = []
    /// The values of `examples`.
    var examples: [SchemaSet.Location] = []
}

/// The rules for a string. Lengths are in Unicode scalars.
struct TextRules {
    var minimum = 0
    var maximum = Int.max
    var patterns: [String] = []
    var formats: [String] = []
}

struct ArrayRules {
    /// The schemas of elements by position, in one schema.
    struct Elements {
        let prefix: [SchemaSet.Location]
        let items: SchemaSet.Location?
    }

    var minimum = 0
    var maximum = Int.max
    var isUnique = false
    var elements: [Elements] = []
    /// The required elements, and their minimum number.
    var contained: [(schema: SchemaSet.Location, minimum: Int)] = []
    var unevaluated: [SchemaSet.Location] = []
}

struct ObjectRules {
    /// The schemas of members by name, in one schema.
    struct Members {
        let properties: [(name: [UInt8], schema: SchemaSet.Location)]
        let patterns: [(pattern: PatternSampler, schema: SchemaSet.Location)]
        let additional: SchemaSet.Location?

        /// Returns the schemas of a member; empty if it is unrestricted.
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
    /// Names that require other names.
    var dependencies: [(name: [UInt8], needed: [UInt8])] = []
    var names: [SchemaSet.Location] = []
    var unevaluated: [SchemaSet.Location] = []
}

/// The rules for a number, exact in units of `ScaledDecimal`.
struct NumberRules {
    var isWhole = false
    var lower: ScaledDecimal?
    var upper: ScaledDecimal?
    var excludesLower = false
    var excludesUpper = false
    /// Every number is a multiple of this many units; nil for any number.
    var grid: WideInteger?
    /// The bounds that are too large to compute with, as candidates.
    var extremes: [String] = []

    /// Adds a keyword with its number.
    ///
    /// - Returns: false if construction cannot guarantee the rule, so that values must be checked.
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
        lower = number
        excludesLower = excluded
    }

    private mutating func limit(to number: ScaledDecimal, excluded: Bool) {
        guard upper.map({ number < $0 || number == $0 && excluded }) ?? true else { return }
        upper = number
        excludesUpper = excluded
    }

    /// - Returns: false if the common multiple is too large.
    mutating func put(on other: WideInteger) -> Bool {
        guard other > 0 else { return false }
        guard let grid else {
            self.grid = other
            return true
        }
        var left = grid
        var right = other
        while right != 0 { (left, right) = (right, left % right) }
        guard let common = (grid / left).multiplied(by: other), common < ScaledDecimal.limit else { return false }
        self.grid = common
        return true
    }
}
