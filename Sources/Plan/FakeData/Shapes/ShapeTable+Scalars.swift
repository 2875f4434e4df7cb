internal import JSONSchema
internal import Primitives

extension ShapeTable {
    /// The largest integer that every reader keeps: 2^53 − 1.
    private static let largestWhole = WideInteger(1 << 53 - 1)

    /// Returns the shape of numbers; nil if none is possible.
    func numberShape(_ demand: Demand, rules: Rules, isChecked: inout Bool) -> NumberShape? {
        var wanted = rules.number
        if wanted.isWhole, !wanted.put(on: ScaledDecimal.one) { isChecked = true }
        var shape = NumberShape(extremes: wanted.extremes)
        shape.examples = demand.examples.map { $0.flatMap { set.value(at: $0).number } }
        let usual = demand.field.usualNumbers(isWhole: wanted.isWhole)
        var step = wanted.grid ?? ScaledDecimal.one / usual.step
        if wanted.grid == nil, let low = wanted.lower, let high = wanted.upper {
            // Add decimals until several numbers fit between the bounds.
            while step > 1, (high.units - low.units) / step < 4 { step /= 10 }
        }
        let edge = min(Self.largestWhole * ScaledDecimal.one, ScaledDecimal.limit - 1) / step
        let lowest = wanted.lower.map { Self.ceiling($0.units, step, isExcluded: wanted.excludesLower) }
        let highest = wanted.upper.map { -Self.ceiling(-$0.units, step, isExcluded: wanted.excludesUpper) }
        shape.grid = step
        (shape.first, shape.last) = Self.range(
            from: max(lowest ?? -edge, -edge), through: min(highest ?? edge, edge),
            usual: WideInteger(usual.first) * ScaledDecimal.one / step,
            usualLast: WideInteger(usual.last) * ScaledDecimal.one / step)
        guard shape.first <= shape.last || !shape.extremes.isEmpty else { return nil }
        return shape
    }

    /// Returns the bounds, narrowed to usual values if they are wide.
    private static func range(
        from first: WideInteger, through last: WideInteger, usual: WideInteger, usualLast: WideInteger
    )
        -> (WideInteger, WideInteger)
    {
        let span = max(usualLast - usual, 1)
        guard first <= last, last - first > 10 * span else { return (first, last) }
        if max(first, usual) <= min(last, usualLast) { return (max(first, usual), min(last, usualLast)) }
        return first > usualLast ? (first, min(last, first + span)) : (max(first, last - span), last)
    }

    /// Returns the lowest integral factor whose multiple is at or above a bound, or above it.
    private static func ceiling(_ bound: WideInteger, _ step: WideInteger, isExcluded: Bool) -> WideInteger {
        let (quotient, rest) = bound.quotientAndRemainder(dividingBy: step)
        if rest == 0 { return isExcluded ? quotient + 1 : quotient }
        return bound > 0 ? quotient + 1 : quotient
    }

    /// Returns the shape of strings; nil if none is possible.
    func textShape(_ demand: Demand, rules: Rules, isChecked: inout Bool) -> TextShape? {
        guard rules.text.minimum <= rules.text.maximum else { return nil }
        var shape = TextShape(minimum: rules.text.minimum, maximum: rules.text.maximum)
        shape.patterns = rules.text.patterns.compactMap { PatternSampler($0) }
        shape.formats = rules.text.formats.compactMap { Field(format: $0) }
        func example(_ location: SchemaSet.Location) -> TextExample? {
            set.value(at: location).string.map { TextExample($0, field: demand.field) }
        }
        shape.inherited = demand.examples.map { $0.flatMap(example) }
        shape.own = rules.examples.compactMap(example)
        if !rules.text.patterns.isEmpty || !shape.formats.isEmpty { isChecked = true }
        return shape
    }
}

extension Field {
    /// Returns the usual range of a field's numbers, and the number of steps between two integers.
    func usualNumbers(isWhole: Bool) -> (first: Int, last: Int, step: WideInteger) {
        switch self {
        case .page: (1, 40, 1)
        case .count: (0, 50, 1)
        case .price: (1, 200, isWhole ? 1 : 100)
        case .percent: (0, 100, isWhole ? 1 : 100)
        case .rating: (1, 5, 1)
        case .age: (18, 90, 1)
        case .year: (1990, 2030, 1)
        case .latitude: (-60, 70, isWhole ? 1 : 10_000)
        case .longitude: (-180, 180, isWhole ? 1 : 10_000)
        case .size: (1, 5000, 1)
        case .milliseconds: (1, 20_000, 1)
        case .seconds: (1_600_000_000, 1_735_000_000, 1)
        default: (1, 1000, isWhole ? 1 : 100)
        }
    }
}
