/// Arrays whose elements are in sets.
struct ArrayShape: Hashable, Sendable {
    /// The number of elements that are in a set.
    struct Contained: Hashable, Sendable {
        var set: ValueSet
        var minimum: Int
        var maximum: Int?
    }

    var minimum = 0
    var maximum: Int?
    /// The sets of the first elements; nil for any value.
    var prefix: [ValueSet?] = []
    /// The set of all following elements.
    var rest: ValueSet?
    /// For each of these sets, some element after the prefix is in it.
    var some: [ValueSet] = []
    var contained: [Contained] = []
    /// Whether all elements differ (true) or some are equal (false); nil if either is fine.
    var isUnique: Bool?
    var atoms = AtomSet()

    static let everything = ArrayShape()

    static func exactly(_ elements: [ExactJSON]) -> ArrayShape {
        ArrayShape(minimum: elements.count, maximum: elements.count, prefix: elements.map { .exactly($0) })
    }

    /// Whether the shape is obviously empty.
    var isPlainlyEmpty: Bool {
        if atoms.isContradictory || minimum > maximum ?? .max { return true }
        if some.contains(where: \.isPlainlyEmpty) { return true }
        if isUnique == false, maximum ?? .max < 2 { return true }
        if prefix.prefix(minimum).contains(where: { $0?.isPlainlyEmpty ?? false }) { return true }
        if minimum > prefix.count || !some.isEmpty, let rest, rest.isPlainlyEmpty { return true }
        return merged(contained).contains { $0.minimum > $0.maximum ?? .max }
    }

    /// Merges the entries of equal sets.
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

    /// Returns shapes that together hold the same arrays, with `count` prefix elements described separately. A required
    /// element is at one of the new positions or after them.
    func expanded(to count: Int, in context: SetContext) throws(BeyondSets) -> [ArrayShape] {
        guard prefix.count < count else { return [self] }
        guard some.count <= 6 else { throw BeyondSets("too many elements may be at any position of an array") }
        var shapes: [ArrayShape] = []
        // Any subset of the required elements may be at the new position.
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
                for location in 0..<count {
                    both.prefix[location] = try ValueSet.intersection(
                        left.prefix[location], right.prefix[location], in: context)
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

extension ArrayShape {
    /// Returns the arrays that are in this shape and not in the other.
    func difference(_ other: ArrayShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ArrayShape>] {
        let count = max(prefix.count, other.prefix.count)
        let theirs = try other.expanded(to: count, in: context)
        return try SetPiece.rest(
            of: try expanded(to: count, in: context), theirs,
            { mine, shape throws(BeyondSets) in
                try mine.breaking(shape, in: context)
            })
    }

    /// Returns the ways to violate the other shape, with equally long prefixes.
    private func breaking(_ other: ArrayShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ArrayShape>] {
        try context.spend()
        var pieces: [SetPiece<ArrayShape>] = []
        func add(_ trail: [String] = [], _ change: (inout ArrayShape) -> Void) {
            var piece = self
            change(&piece)
            if !piece.isPlainlyEmpty { pieces.append(SetPiece(shape: piece, trail: trail)) }
        }
        if other.minimum > 0 { add { $0.maximum = min($0.maximum ?? .max, other.minimum - 1) } }
        if let maximum = other.maximum, maximum < .max { add { $0.minimum = max($0.minimum, maximum + 1) } }
        for (location, theirs) in other.prefix.enumerated() {
            for part in try ValueSet.difference(prefix[location], theirs, in: context) {
                add([String(location)] + part.trail) {
                    $0.prefix[location] = part.shape
                    $0.minimum = max($0.minimum, location + 1)
                }
            }
        }
        for part in try ValueSet.difference(rest, other.rest, in: context) {
            add([String(prefix.count)] + part.trail) {
                $0.some.append(part.shape)
                $0.minimum = max($0.minimum, prefix.count + 1)
            }
        }
        for wanted in other.some {
            let left = try ValueSet.union(of: ValueSet.difference(rest, wanted, in: context), in: context)
            add { $0.rest = left }
        }
        if let isUnique = other.isUnique, self.isUnique != isUnique {
            if self.isUnique == nil { add { $0.isUnique = !isUnique } } else { add { _ in } }
        }
        for entry in other.contained {
            if entry.minimum == 1 {
                let none = try without(entry.set, in: context)
                add { $0 = none }
            } else if entry.minimum > 1 {
                add { $0.contained.append(Contained(set: entry.set, minimum: 0, maximum: entry.minimum - 1)) }
            }
            if let maximum = entry.maximum, maximum < .max {
                add { $0.contained.append(Contained(set: entry.set, minimum: maximum + 1)) }
            }
        }
        for atoms in atoms.difference(other.atoms) { add { $0.atoms = atoms } }
        return pieces
    }

    /// Returns the arrays without any element in a set.
    private func without(_ set: ValueSet, in context: SetContext) throws(BeyondSets) -> ArrayShape {
        var shape = self
        for location in prefix.indices {
            shape.prefix[location] = try ValueSet.union(
                of: ValueSet.difference(prefix[location], set, in: context), in: context)
        }
        shape.rest = try ValueSet.union(of: ValueSet.difference(rest, set, in: context), in: context)
        return shape
    }
}

extension ArrayShape {
    /// The maximum length of sample arrays.
    private static let longest = 10_000

    /// Returns a short array; nil only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if no array was found, but some may exist.
    func sample(in context: SetContext) throws(BeyondSets) -> ExactJSON? {
        guard !isPlainlyEmpty else { return nil }
        // The sets whose emptiness makes every array impossible.
        for location in 0..<min(minimum, prefix.count) {
            if let set = prefix[location], try set.isEmpty(in: context) { return nil }
        }
        if minimum > prefix.count, let rest, try rest.isEmpty(in: context) { return nil }
        for wanted in some {
            let set = try ValueSet.intersection(rest, wanted, in: context)
            if let set, try set.isEmpty(in: context) { return nil }
        }
        for extra in 0...3 where minimum <= Self.longest {
            guard let found = try attempt(max(minimum, some.isEmpty ? 0 : prefix.count + some.count) + extra, context)
            else { continue }
            return .array(found)
        }
        throw BeyondSets("no array was found")
    }

    /// Returns an array with `count` elements; nil if none was found.
    private func attempt(_ count: Int, _ context: SetContext) throws(BeyondSets) -> [ExactJSON]? {
        guard count <= min(maximum ?? .max, Self.longest) else { return nil }
        try context.spend(count / 10 + 1)
        var elements: [ExactJSON] = []
        for location in 0..<count {
            var set = location < prefix.count ? prefix[location] : rest
            if location >= prefix.count, location - prefix.count < some.count {
                set = try ValueSet.intersection(set, some[location - prefix.count], in: context)
            }
            guard let element = try pick(set, at: location, after: elements, context) else { return nil }
            elements.append(element)
        }
        return try accepts(elements, context) ? elements : nil
    }

    /// Returns a value for a position that keeps the array valid, preferably one that is still required.
    private func pick(
        _ set: ValueSet?, at location: Int, after elements: [ExactJSON], _ context: SetContext
    ) throws(BeyondSets) -> ExactJSON? {
        if isUnique == false, location == 1, let first = elements.first, try ValueSet.holds(set, first, in: context) {
            return first
        }
        var wishes = [set]
        for entry in contained {
            var matches = 0
            for element in elements where try entry.set.holds(element, in: context) { matches += 1 }
            if matches < entry.minimum {
                wishes.insert(try ValueSet.intersection(set, entry.set, in: context), at: 0)
            } else if let maximum = entry.maximum, matches >= maximum {
                wishes.insert(
                    try ValueSet.union(of: ValueSet.difference(set, entry.set, in: context), in: context), at: 0)
            }
        }
        let needed = isUnique == true ? elements.count + 1 : 1
        for wish in wishes {
            for sample in try (wish ?? .everything).samples(needed, in: context) {
                if isUnique == true, elements.contains(sample) { continue }
                return sample
            }
        }
        return nil
    }

    private func accepts(_ elements: [ExactJSON], _ context: SetContext) throws(BeyondSets) -> Bool {
        if let isUnique, (Set(elements).count == elements.count) != isUnique { return false }
        for entry in contained {
            var matches = 0
            for element in elements where try entry.set.holds(element, in: context) { matches += 1 }
            guard (entry.minimum...max(entry.minimum, entry.maximum ?? .max)).contains(matches) else { return false }
        }
        return try context.accepts(atoms, .array(elements))
    }
}
