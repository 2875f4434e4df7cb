/// Objects whose members are in sets.
struct ObjectShape: Hashable, Sendable {
    /// The constraints on one member.
    struct Slot: Hashable, Sendable {
        /// Its values; nil for any. An empty set on an optional member forbids the member.
        var set: ValueSet?
        var isRequired = false
    }

    var slots: [ExactText: Slot] = [:]
    /// The values of all other members; nil for any.
    var others: ValueSet?
    /// For each of these sets, some other member's value is in it.
    var some: [ValueSet] = []
    var minimum = 0
    var maximum: Int?
    var atoms = AtomSet()

    static let everything = ObjectShape()

    static func exactly(_ members: [ExactText: ExactJSON]) -> ObjectShape {
        ObjectShape(slots: members.mapValues { Slot(set: .exactly($0), isRequired: true) }, others: ValueSet.none)
    }

    static func without(_ name: ExactText) -> ObjectShape {
        ObjectShape(slots: [name: Slot(set: ValueSet.none)])
    }

    /// Whether the shape is obviously empty.
    var isPlainlyEmpty: Bool {
        if atoms.isContradictory || minimum > maximum ?? .max { return true }
        if some.contains(where: \.isPlainlyEmpty) { return true }
        if !some.isEmpty, let others, others.isPlainlyEmpty { return true }
        if slots.values.contains(where: { $0.isRequired && $0.set?.isPlainlyEmpty ?? false }) { return true }
        return slots.values.count(where: \.isRequired) + (some.isEmpty ? 0 : 1) > maximum ?? .max
    }

    /// Returns shapes that together hold the same objects, with these members described separately.
    func expanded(to names: Set<ExactText>, in context: SetContext) throws(BeyondSets) -> [ObjectShape] {
        guard let name = names.subtracting(slots.keys).min() else { return [self] }
        try context.spend()
        var shape = self
        shape.slots[name] = Slot(set: others)
        guard !some.isEmpty else {
            for name in names.subtracting(slots.keys) { shape.slots[name] = Slot(set: others) }
            return [shape]
        }
        guard some.count <= 6 else { throw BeyondSets("too many members may have any name") }
        // Any subset of the required values may be in the new member.
        var shapes: [ObjectShape] = []
        for choice in 0..<(1 << some.count) {
            var here = shape
            here.some = []
            for (location, wanted) in some.enumerated() {
                if choice >> location & 1 == 1 {
                    let set = try ValueSet.intersection(here.slots[name]?.set, wanted, in: context)
                    here.slots[name] = Slot(set: set, isRequired: true)
                } else {
                    here.some.append(wanted)
                }
            }
            if !here.isPlainlyEmpty { shapes += try here.expanded(to: names, in: context) }
        }
        return shapes
    }

    func intersection(_ other: ObjectShape, in context: SetContext) throws(BeyondSets) -> [ObjectShape] {
        let names = Set(slots.keys).union(other.slots.keys)
        let theirs = try other.expanded(to: names, in: context)
        var common: [ObjectShape] = []
        for left in try expanded(to: names, in: context) {
            for right in theirs {
                try context.spend()
                var both = left
                for name in names {
                    guard let mine = left.slots[name], let their = right.slots[name] else { continue }
                    both.slots[name] = Slot(
                        set: try ValueSet.intersection(mine.set, their.set, in: context),
                        isRequired: mine.isRequired || their.isRequired)
                }
                both.others = try ValueSet.intersection(left.others, right.others, in: context)
                both.some += right.some
                both.minimum = max(left.minimum, right.minimum)
                both.maximum = [left.maximum, right.maximum].compactMap { $0 }.min()
                both.atoms = left.atoms.union(right.atoms)
                if !both.isPlainlyEmpty { common.append(both) }
            }
        }
        return common
    }
}

extension ObjectShape {
    /// Returns the objects that are in this shape and not in the other.
    func difference(_ other: ObjectShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ObjectShape>] {
        let names = Set(slots.keys).union(other.slots.keys)
        let theirs = try other.expanded(to: names, in: context)
        return try SetPiece.rest(
            of: try expanded(to: names, in: context), theirs,
            { mine, shape throws(BeyondSets) in
                try mine.breaking(shape, in: context)
            })
    }

    /// Returns the ways to violate the other shape, with the same members described.
    private func breaking(_ other: ObjectShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ObjectShape>] {
        try context.spend()
        var pieces: [SetPiece<ObjectShape>] = []
        func add(_ trail: [String] = [], _ change: (inout ObjectShape) -> Void) {
            var piece = self
            change(&piece)
            if !piece.isPlainlyEmpty { pieces.append(SetPiece(shape: piece, trail: trail)) }
        }
        for name in other.slots.keys.sorted() {
            guard let mine = slots[name], let theirs = other.slots[name] else { continue }
            if theirs.isRequired, !mine.isRequired { add([name.text]) { $0.slots[name] = Slot(set: ValueSet.none) } }
            for part in try ValueSet.difference(mine.set, theirs.set, in: context) {
                add([name.text] + part.trail) { $0.slots[name] = Slot(set: part.shape, isRequired: true) }
            }
        }
        for part in try ValueSet.difference(others, other.others, in: context) {
            add { $0.some.append(part.shape) }
        }
        for wanted in other.some {
            let left = try ValueSet.union(of: ValueSet.difference(others, wanted, in: context), in: context)
            add { $0.others = left }
        }
        if other.minimum > 0 { add { $0.maximum = min($0.maximum ?? .max, other.minimum - 1) } }
        if let maximum = other.maximum, maximum < .max { add { $0.minimum = max($0.minimum, maximum + 1) } }
        for atoms in atoms.difference(other.atoms) { add { $0.atoms = atoms } }
        return pieces
    }
}

extension ObjectShape {
    /// Returns a small object; nil only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if no object was found, but some may exist.
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
        try fill(&members, names: names, isExact: &isExact, in: context)
        let fits = members.count >= minimum && members.count <= maximum ?? .max
        if fits, try context.accepts(atoms, .object(members)) { return .object(members) }
        if fits, let other = try otherNames(members, names: names, in: context) { return other }
        guard isExact, !fits else { throw BeyondSets("no object was found") }
        return nil
    }

    /// Adds members until there are enough, named members first.
    private func fill(
        _ members: inout [ExactText: ExactJSON], names: FreshNames, isExact: inout Bool, in context: SetContext
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

    /// Returns the object with other names for unnamed members, and with optional members.
    private func otherNames(
        _ members: [ExactText: ExactJSON], names: FreshNames, in context: SetContext
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
