internal import JSONSchema

extension NumberShape {
    /// Some of the numbers, plain ones first; none only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
    func samples(_ count: Int) throws(BeyondSets) -> [ScaledDecimal] {
        guard !isPlainlyEmpty else { return [] }
        if let values {
            // From zero outwards, like the others.
            let sorted = values.sorted { ($0.units.magnitude, $1.units) < ($1.units.magnitude, $0.units) }
            return Array(sorted.prefix(count))
        }
        if let grid {
            let (found, isComplete) = multiples(of: grid, count)
            guard !found.isEmpty || isComplete else { throw BeyondSets("no number was found in a range") }
            return found
        }
        var found: [ScaledDecimal] = []
        for divisor: Int128 in [1, 2, 10, 100, 1000, 1_000_000, 1_000_000_000, ScaledDecimal.one] {
            for number in multiples(of: ScaledDecimal.one / divisor, count).found where !found.contains(number) {
                found.append(number)
            }
            if found.count >= count { return Array(found.prefix(count)) }
        }
        guard !found.isEmpty || isOnePoint else { throw BeyondSets("no number was found in a range") }
        return found
    }

    private var isOnePoint: Bool { lower != nil && lower?.value == upper?.value }

    /// Multiples of a number within the bounds, from zero outwards, and whether they are all.
    private func multiples(of step: Int128, _ count: Int) -> (found: [ScaledDecimal], isComplete: Bool) {
        let edge = (ScaledDecimal.limit - 1) / step
        let first = max(-edge, lower.map { Self.ceiling($0, step) } ?? -edge)
        let last = min(
            edge, upper.map { -Self.ceiling(Bound(value: $0.value.negated, isInclusive: $0.isInclusive), step) } ?? edge
        )
        var found: [ScaledDecimal] = []
        guard first <= last else { return ([], lower != nil && upper != nil) }
        // Starts at the place nearest to zero and goes to both sides.
        let start = min(max(0, first), last)
        let tries = Int128(256 + holes.count)
        var distance: Int128 = 0
        while distance <= tries, found.count < count {
            var isOutside = true
            for place in distance == 0 ? [start] : [start + distance, start - distance]
            where place >= first && place <= last {
                isOutside = false
                if let number = ScaledDecimal(units: place * step), allows(number) { found.append(number) }
            }
            if isOutside { return (Array(found.prefix(count)), lower != nil && upper != nil) }
            distance += 1
        }
        return (Array(found.prefix(count)), false)
    }

    /// The lowest whole factor whose multiple is within a lower bound.
    private static func ceiling(_ bound: Bound, _ step: Int128) -> Int128 {
        let (quotient, rest) = bound.value.units.quotientAndRemainder(dividingBy: step)
        if rest == 0 { return bound.isInclusive ? quotient : quotient + 1 }
        return bound.value.units > 0 ? quotient + 1 : quotient
    }

    private func allows(_ number: ScaledDecimal) -> Bool {
        !holes.contains(number) && !offGrids.contains { number.units % $0 == 0 }
    }
}

extension ScaledDecimal {
    /// The number with the other sign.
    var negated: ScaledDecimal { ScaledDecimal(units: -units) ?? self }
}
