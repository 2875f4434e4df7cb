internal import JSONSchema

/// What is asked of a number: exact, in units of `ScaledDecimal`.
struct NumberRules {
    var isWhole = false
    var lower: ScaledDecimal?
    var upper: ScaledDecimal?
    var excludesLower = false
    var excludesUpper = false
    /// Every number is a multiple of so many units; nil for any.
    var grid: Int128?
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
    mutating func put(on other: Int128) -> Bool {
        guard other > 0 else { return false }
        guard let grid else {
            self.grid = other
            return true
        }
        var (left, right) = (grid, other)
        while right != 0 { (left, right) = (right, left % right) }
        let (common, overflows) = (grid / left).multipliedReportingOverflow(by: other)
        guard !overflows, common < ScaledDecimal.limit else { return false }
        self.grid = common
        return true
    }
}
