/// Objects whose members lie in sets.
struct ObjectShape: Hashable, Sendable {
    /// What is said about one member.
    struct Slot: Hashable, Sendable {
        /// Its values; nil for any. Empty and not required is a member that may not be there.
        var set: ValueSet?
        var isRequired = false
    }

    var slots: [ExactText: Slot] = [:]
    /// The values of all other members; nil for any.
    var others: ValueSet?
    /// For each of these there is another member whose value is in it.
    var some: [ValueSet] = []
    var minimum = 0
    var maximum: Int?
    var atoms = AtomSet()

    static let everything = ObjectShape()

    /// One object.
    static func exactly(_ members: [ExactText: ExactJSON]) -> ObjectShape {
        ObjectShape(slots: members.mapValues { Slot(set: .exactly($0), isRequired: true) }, others: ValueSet.none)
    }

    /// Objects without that member.
    static func without(_ name: ExactText) -> ObjectShape {
        ObjectShape(slots: [name: Slot(set: ValueSet.none)])
    }

    /// Whether it leaves nothing, as far as can be seen at once.
    var isPlainlyEmpty: Bool {
        if atoms.isContradictory || minimum > maximum ?? .max { return true }
        if some.contains(where: \.isPlainlyEmpty) { return true }
        if !some.isEmpty, let others, others.isPlainlyEmpty { return true }
        if slots.values.contains(where: { $0.isRequired && $0.set?.isPlainlyEmpty ?? false }) { return true }
        return slots.values.count(where: \.isRequired) + (some.isEmpty ? 0 : 1) > maximum ?? .max
    }

    /// The same objects with these members told apart: another member is one of the new ones or still another.
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
        // Any number of the wishes may come true in the new member.
        var shapes: [ObjectShape] = []
        for choice in 0..<(1 << some.count) {
            var here = shape
            here.some = []
            for (place, wanted) in some.enumerated() {
                if choice >> place & 1 == 1 {
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
