/// Strings of some lengths, in or out of a list, that meet conditions.
struct StringShape: Hashable, Sendable {
    var minimum = 0
    var maximum: Int?
    /// The only strings; nil for any.
    var values: Set<ExactText>?
    /// The strings that are left out.
    var holes: Set<ExactText> = []
    /// Patterns and formats.
    var atoms = AtomSet()

    static let everything = StringShape()

    /// Whether it leaves nothing, as far as can be seen without a validator.
    var isPlainlyEmpty: Bool {
        if atoms.isContradictory { return true }
        if let maximum, maximum < minimum { return true }
        if maximum == 0, holes.contains("") { return true }
        return values.map { !$0.contains(where: allows) } ?? false
    }

    private func allows(_ text: ExactText) -> Bool {
        let length = text.length
        return length >= minimum && length <= maximum ?? .max && !holes.contains(text)
    }

    func intersection(_ other: StringShape) -> StringShape {
        var common = self
        common.minimum = max(minimum, other.minimum)
        common.maximum = [maximum, other.maximum].compactMap { $0 }.min()
        if let theirs = other.values { common.values = values?.intersection(theirs) ?? theirs }
        common.holes.formUnion(other.holes)
        common.atoms = atoms.union(other.atoms)
        return common
    }

    /// What is in this and not in the other.
    func difference(_ other: StringShape) -> [StringShape] {
        var pieces: [StringShape] = []
        if other.minimum > 0 { pieces.append(intersection(StringShape(maximum: other.minimum - 1))) }
        if let maximum = other.maximum, maximum < .max {
            pieces.append(intersection(StringShape(minimum: maximum + 1)))
        }
        if let values = other.values { pieces.append(intersection(StringShape(holes: values))) }
        if !other.holes.isEmpty { pieces.append(intersection(StringShape(values: other.holes))) }
        for atoms in atoms.difference(other.atoms) {
            var piece = self
            piece.atoms = atoms
            pieces.append(piece)
        }
        return pieces.filter { !$0.isPlainlyEmpty }
    }

    /// Some of the strings, short ones first; none only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
    func samples(_ count: Int, in context: SetContext) throws(BeyondSets) -> [ExactText] {
        guard !isPlainlyEmpty else { return [] }
        var found: [ExactText] = []
        let candidates =
            values?.sorted() ?? SampleTexts.candidates(minimum, maximum, context.hints, count + holes.count)
        for candidate in candidates where allows(candidate) && !found.contains(candidate) {
            guard try context.accepts(atoms, .string(candidate)) else { continue }
            found.append(candidate)
            if found.count == count { break }
        }
        guard !found.isEmpty || values != nil else { throw BeyondSets("no string was found that meets the patterns") }
        return found
    }
}
