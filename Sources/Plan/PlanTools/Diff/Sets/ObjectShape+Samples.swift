extension ObjectShape {
    /// An object, a small one; nil only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
    func sample(in context: SetContext) throws(BeyondSets) -> ExactJSON? {
        guard !isPlainlyEmpty else { return nil }
        var members: [ExactText: ExactJSON] = [:]
        var open: BeyondSets?
        for name in slots.keys.sorted() {
            guard let slot = slots[name], slot.isRequired else { continue }
            do throws(BeyondSets) {
                guard let value = try (slot.set ?? .everything).sample(in: context) else { return nil }
                members[name] = value
            } catch { open = error }
        }
        let names = FreshNames(avoiding: slots.keys, hints: context.hints)
        var isExact = true
        for (number, wanted) in some.enumerated() {
            let set = try ValueSet.intersection(others, wanted, in: context) ?? .everything
            guard let value = try set.sample(in: context) else { return nil }
            members[names[number]] = value
            isExact = number == 0
        }
        if let open { throw open }
        try fill(&members, names, isExact: &isExact, context)
        let fits = members.count >= minimum && members.count <= maximum ?? .max
        if fits, try context.accepts(atoms, .object(members)) { return .object(members) }
        if fits, let other = try otherNames(members, names, context) { return other }
        guard isExact, !fits else { throw BeyondSets("no object was found") }
        return nil
    }

    /// Adds members until there are enough: those that have a name first.
    private func fill(
        _ members: inout [ExactText: ExactJSON], _ names: FreshNames, isExact: inout Bool, _ context: SetContext
    ) throws(BeyondSets) {
        for name in slots.keys.sorted() where members.count < minimum && members[name] == nil {
            members[name] = try (slots[name]?.set ?? .everything).sample(in: context)
        }
        guard members.count < minimum, let value = try (others ?? .everything).sample(in: context) else { return }
        guard minimum <= 10_000 else {
            isExact = false
            return
        }
        var number = some.count
        while members.count < minimum {
            members[names[number]] = value
            number += 1
        }
    }

    /// The same with other names for the members that may have any, and with members that need not be there.
    private func otherNames(
        _ members: [ExactText: ExactJSON], _ names: FreshNames, _ context: SetContext
    ) throws(BeyondSets) -> ExactJSON? {
        var candidates: [[ExactText: ExactJSON]] = []
        let free = members.keys.filter { slots[$0] == nil }
        for offset in 1..<(context.hints.count + FreshNames.plain.count + 1) where !free.isEmpty {
            var renamed = members.filter { slots[$0.key] != nil }
            for (number, name) in free.sorted().enumerated() { renamed[names[number + offset]] = members[name] }
            candidates.append(renamed)
        }
        for name in slots.keys.sorted() where members[name] == nil {
            guard let value = try (slots[name]?.set ?? .everything).sample(in: context) else { continue }
            candidates.append(members.merging([name: value]) { $1 })
        }
        for value in try (others ?? .everything).variety(in: context) {
            for number in 0..<(context.hints.count + FreshNames.plain.count) {
                candidates.append(members.merging([names[number]: value]) { $1 })
            }
        }
        for candidate in candidates.prefix(400)
        where candidate.count >= minimum && candidate.count <= maximum ?? .max {
            if try context.accepts(atoms, .object(candidate)) { return .object(candidate) }
        }
        return nil
    }
}

/// Names for members that no schema names.
struct FreshNames {
    static let plain: [ExactText] = ["other", "x", "X", "a1", "a-b", "_", "0", ""]

    private let names: [ExactText]
    private let taken: Set<ExactText>

    init(avoiding taken: some Sequence<ExactText>, hints: [ExactText]) {
        self.taken = Set(taken)
        var seen = self.taken
        names = (Self.plain.prefix(1) + hints + Self.plain.dropFirst()).filter { seen.insert($0).inserted }
    }

    subscript(number: Int) -> ExactText {
        if number < names.count { return names[number] }
        var name = ExactText("other\(number)")
        while taken.contains(name) || names.contains(name) { name = ExactText(name.text + "_") }
        return name
    }
}
