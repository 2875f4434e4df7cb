extension ArrayShape {
    /// Longer arrays are not tried.
    private static let longest = 10_000

    /// An array, a short one; nil only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
    func sample(in context: SetContext) throws(BeyondSets) -> ExactJSON? {
        guard !isPlainlyEmpty else { return nil }
        // The sets without which there is no array at all.
        for place in 0..<min(minimum, prefix.count) {
            if let set = prefix[place], try set.isEmpty(in: context) { return nil }
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

    /// An array of so many elements; nil if none was found.
    private func attempt(_ count: Int, _ context: SetContext) throws(BeyondSets) -> [ExactJSON]? {
        guard count <= min(maximum ?? .max, Self.longest) else { return nil }
        try context.spend(count / 10 + 1)
        var elements: [ExactJSON] = []
        for place in 0..<count {
            var set = place < prefix.count ? prefix[place] : rest
            if place >= prefix.count, place - prefix.count < some.count {
                set = try ValueSet.intersection(set, some[place - prefix.count], in: context)
            }
            guard let element = try pick(set, at: place, after: elements, context) else { return nil }
            elements.append(element)
        }
        return try accepts(elements, context) ? elements : nil
    }

    /// A value for a place that does not spoil the array: one that is wanted while too few are.
    private func pick(
        _ set: ValueSet?, at place: Int, after elements: [ExactJSON], _ context: SetContext
    ) throws(BeyondSets) -> ExactJSON? {
        if isUnique == false, place == 1, let first = elements.first, try ValueSet.holds(set, first, in: context) {
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
