internal import JSONSchema
internal import Primitives

/// Numbers within bounds, on a grid, with exceptions.
struct NumberShape: Hashable, Sendable {
    /// An end of an interval.
    struct Bound: Hashable, Sendable {
        var value: ScaledDecimal
        var isInclusive: Bool
        /// The bound of the complementary interval.
        var opposite: Bound { Bound(value: value, isInclusive: !isInclusive) }
    }

    var lower: Bound?
    var upper: Bound?
    /// Every number is a multiple of this many units; nil for any number.
    var grid: WideInteger?
    /// No number is a multiple of these.
    var offGrids: Set<WideInteger> = []
    /// The excluded numbers.
    var holes: Set<ScaledDecimal> = []
    /// The only numbers, in which case nothing else applies; nil for any.
    var values: Set<ScaledDecimal>?

    static let everything = NumberShape()
    static let integers = NumberShape(grid: ScaledDecimal.one)

    /// Whether the bounds alone exclude every number.
    var isPlainlyEmpty: Bool {
        if let values { return values.isEmpty }
        if let grid, offGrids.contains(where: { grid % $0 == 0 }) { return true }
        guard let lower, let upper else { return false }
        if lower.value == upper.value {
            return !lower.isInclusive || !upper.isInclusive || holes.contains(lower.value)
        }
        return lower.value > upper.value
    }

    func contains(_ number: ScaledDecimal) -> Bool {
        if let values { return values.contains(number) }
        if let lower, lower.isInclusive ? number < lower.value : number <= lower.value { return false }
        if let upper, upper.isInclusive ? number > upper.value : number >= upper.value { return false }
        if let grid, number.units % grid != 0 { return false }
        return !holes.contains(number) && !offGrids.contains { number.units % $0 == 0 }
    }

    func intersection(_ other: NumberShape) throws(BeyondSets) -> NumberShape {
        if let values { return NumberShape(values: values.filter(other.contains)) }
        if let values = other.values { return NumberShape(values: values.filter(contains)) }
        var common = self
        common.lower = Self.tighter(lower, other.lower) { $0 > $1 }
        common.upper = Self.tighter(upper, other.upper) { $0 < $1 }
        if let grid = other.grid { try common.put(on: grid) }
        common.offGrids.formUnion(other.offGrids)
        common.holes.formUnion(other.holes)
        return common
    }

    private static func tighter(
        _ left: Bound?, _ right: Bound?, by isTighter: (ScaledDecimal, ScaledDecimal) -> Bool
    ) -> Bound? {
        guard let left, let right else { return left ?? right }
        if left.value == right.value {
            return Bound(value: left.value, isInclusive: left.isInclusive && right.isInclusive)
        }
        return isTighter(left.value, right.value) ? left : right
    }

    private mutating func put(on other: WideInteger) throws(BeyondSets) {
        guard let grid else {
            self.grid = other
            return
        }
        var left = grid
        var right = other
        while right != 0 { (left, right) = (right, left % right) }
        guard let common = (grid / left).multiplied(by: other), common < ScaledDecimal.limit else {
            throw BeyondSets("multipleOf: the common multiple is too large")
        }
        self.grid = common
    }

    /// Returns the numbers that are in this shape and not in the other.
    func difference(_ other: NumberShape) throws(BeyondSets) -> [NumberShape] {
        if let values {
            let left = values.filter { !other.contains($0) }
            return left.isEmpty ? [] : [NumberShape(values: left)]
        }
        var pieces: [NumberShape] = []
        if let values = other.values { pieces.append(try intersection(NumberShape(holes: values))) }
        if let lower = other.lower { pieces.append(try intersection(NumberShape(upper: lower.opposite))) }
        if let upper = other.upper { pieces.append(try intersection(NumberShape(lower: upper.opposite))) }
        if let grid = other.grid { pieces.append(try intersection(NumberShape(offGrids: [grid]))) }
        for grid in other.offGrids.sorted() { pieces.append(try intersection(NumberShape(grid: grid))) }
        if !other.holes.isEmpty { pieces.append(try intersection(NumberShape(values: other.holes))) }
        return pieces.filter { !$0.isPlainlyEmpty }
    }
}

extension NumberShape {
    /// Returns some of the numbers, simple ones first; empty only if there are none.
    ///
    /// - Throws: ``BeyondSets`` if no number was found, but some may exist.
    func samples(_ count: Int) throws(BeyondSets) -> [ScaledDecimal] {
        guard !isPlainlyEmpty else { return [] }
        if let values {
            // From zero outwards.
            let sorted = values.sorted { ($0.units.magnitude, $1.units) < ($1.units.magnitude, $0.units) }
            return Array(sorted.prefix(count))
        }
        if let grid {
            let (found, isComplete) = multiples(of: grid, count)
            guard !found.isEmpty || isComplete else { throw BeyondSets("no number was found in a range") }
            return found
        }
        var found: [ScaledDecimal] = []
        for divisor: WideInteger in [1, 2, 10, 100, 1000, 1_000_000, 1_000_000_000, ScaledDecimal.one] {
            for number in multiples(of: ScaledDecimal.one / divisor, count).found where !found.contains(number) {
                found.append(number)
            }
            if found.count >= count { return Array(found.prefix(count)) }
        }
        guard !found.isEmpty || isOnePoint else { throw BeyondSets("no number was found in a range") }
        return found
    }

    private var isOnePoint: Bool { lower != nil && lower?.value == upper?.value }

    /// Returns multiples within the bounds, from zero outwards, and whether these are all.
    private func multiples(of step: WideInteger, _ count: Int) -> (found: [ScaledDecimal], isComplete: Bool) {
        let edge = (ScaledDecimal.limit - 1) / step
        let first = max(-edge, lower.map { Self.ceiling($0, step) } ?? -edge)
        let last = min(
            edge, upper.map { -Self.ceiling(Bound(value: $0.value.negated, isInclusive: $0.isInclusive), step) } ?? edge
        )
        var found: [ScaledDecimal] = []
        guard first <= last else { return ([], lower != nil && upper != nil) }
        // Start at the factor nearest to zero, and continue in both directions.
        let start = min(max(0, first), last)
        let tries = WideInteger(256 + holes.count)
        var distance: WideInteger = 0
        while distance <= tries, found.count < count {
            var isOutside = true
            for location in distance == 0 ? [start] : [start + distance, start - distance]
            where location >= first && location <= last {
                isOutside = false
                if let number = ScaledDecimal(units: location * step), allows(number) { found.append(number) }
            }
            if isOutside { return (Array(found.prefix(count)), lower != nil && upper != nil) }
            distance += 1
        }
        return (Array(found.prefix(count)), false)
    }

    /// Returns the lowest integral factor whose multiple is within a lower bound.
    private static func ceiling(_ bound: Bound, _ step: WideInteger) -> WideInteger {
        let (quotient, rest) = bound.value.units.quotientAndRemainder(dividingBy: step)
        if rest == 0 { return bound.isInclusive ? quotient : quotient + 1 }
        return bound.value.units > 0 ? quotient + 1 : quotient
    }

    private func allows(_ number: ScaledDecimal) -> Bool {
        !holes.contains(number) && !offGrids.contains { number.units % $0 == 0 }
    }
}

extension ScaledDecimal {
    /// The number with the opposite sign.
    var negated: ScaledDecimal { ScaledDecimal(units: -units) ?? self }
}
