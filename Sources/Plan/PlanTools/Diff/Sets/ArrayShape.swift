/// Arrays whose elements lie in sets.
struct ArrayShape: Hashable, Sendable {
    /// How many elements are in a set.
    struct Contained: Hashable, Sendable {
        var set: ValueSet
        var minimum: Int
        var maximum: Int?
    }

    var minimum = 0
    var maximum: Int?
    /// The sets of the first elements; nil for any value.
    var prefix: [ValueSet?] = []
    /// The set of all that follow.
    var rest: ValueSet?
    /// For each of these an element stands after the first ones that is in it.
    var some: [ValueSet] = []
    var contained: [Contained] = []
    /// Whether no two elements are equal, or some are; nil if it does not matter.
    var isUnique: Bool?
    var atoms = AtomSet()

    static let everything = ArrayShape()

    /// One array.
    static func exactly(_ elements: [ExactJSON]) -> ArrayShape {
        ArrayShape(minimum: elements.count, maximum: elements.count, prefix: elements.map { .exactly($0) })
    }

    /// Whether it leaves nothing, as far as can be seen at once.
    var isPlainlyEmpty: Bool {
        if atoms.isContradictory || minimum > maximum ?? .max { return true }
        if some.contains(where: \.isPlainlyEmpty) { return true }
        if isUnique == false, maximum ?? .max < 2 { return true }
        if prefix.prefix(minimum).contains(where: { $0?.isPlainlyEmpty ?? false }) { return true }
        if minimum > prefix.count || !some.isEmpty, let rest, rest.isPlainlyEmpty { return true }
        return merged(contained).contains { $0.minimum > $0.maximum ?? .max }
    }

    /// One entry for each set.
    private func merged(_ contained: [Contained]) -> [Contained] {
        var merged: [Contained] = []
        for entry in contained {
            if let at = merged.firstIndex(where: { $0.set == entry.set }) {
                merged[at].minimum = max(merged[at].minimum, entry.minimum)
                merged[at].maximum = [merged[at].maximum, entry.maximum].compactMap { $0 }.min()
            } else {
                merged.append(entry)
            }
        }
        return merged
    }

    /// The same arrays with so many first elements told apart: an element that stands somewhere stands at one of the
    /// new places or behind them. Together they hold the same arrays.
    func expanded(to count: Int, in context: SetContext) throws(BeyondSets) -> [ArrayShape] {
        guard prefix.count < count else { return [self] }
        guard some.count <= 6 else { throw BeyondSets("too many elements may stand anywhere in an array") }
        var shapes: [ArrayShape] = []
        // Any number of the wishes may come true at the new place.
        for choice in 0..<(1 << some.count) {
            try context.spend()
            var here = self
            here.some = []
            here.prefix.append(rest)
            for (number, wanted) in some.enumerated() {
                if choice >> number & 1 == 1 {
                    here.prefix[prefix.count] = try ValueSet.intersection(
                        here.prefix[prefix.count], wanted, in: context)
                    here.minimum = max(minimum, prefix.count + 1)
                } else {
                    here.some.append(wanted)
                }
            }
            if !here.isPlainlyEmpty { shapes += try here.expanded(to: count, in: context) }
        }
        return shapes
    }

    func intersection(_ other: ArrayShape, in context: SetContext) throws(BeyondSets) -> [ArrayShape] {
        var common: [ArrayShape] = []
        let count = max(prefix.count, other.prefix.count)
        let theirs = try other.expanded(to: count, in: context)
        for left in try expanded(to: count, in: context) {
            for right in theirs {
                try context.spend()
                var both = left
                both.minimum = max(left.minimum, right.minimum)
                both.maximum = [left.maximum, right.maximum].compactMap { $0 }.min()
                for place in 0..<count {
                    both.prefix[place] = try ValueSet.intersection(left.prefix[place], right.prefix[place], in: context)
                }
                both.rest = try ValueSet.intersection(left.rest, right.rest, in: context)
                both.some += right.some
                both.contained = merged(left.contained + right.contained)
                both.atoms = left.atoms.union(right.atoms)
                if let mine = left.isUnique, let theirs = right.isUnique, mine != theirs { continue }
                both.isUnique = left.isUnique ?? right.isUnique
                if !both.isPlainlyEmpty { common.append(both) }
            }
        }
        return common
    }
}
