/// Strings within length limits, listed or excluded, that satisfy conditions.
struct StringShape: Hashable, Sendable {
    var minimum = 0
    var maximum: Int?
    /// The only strings; nil for any.
    var values: Set<ExactText>?
    /// The excluded strings.
    var holes: Set<ExactText> = []
    /// Patterns and formats.
    var atoms = AtomSet()

    static let everything = StringShape()

    /// Whether the shape is obviously empty, without a validator.
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

    /// Returns the strings that are in this shape and not in the other.
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

    /// Returns some of the strings, short ones first; empty only if there are none.
    ///
    /// - Throws: ``BeyondSets`` if no string was found, but some may exist.
    func samples(_ count: Int, in context: SetContext) throws(BeyondSets) -> [ExactText] {
        guard !isPlainlyEmpty else { return [] }
        var found: [ExactText] = []
        let candidates =
            values?.sorted()
            ?? SampleTexts.candidates(
                minimum: minimum, maximum: maximum, hints: context.hints, count: count + holes.count)
        for candidate in candidates where allows(candidate) && !found.contains(candidate) {
            guard try context.accepts(atoms, .string(candidate)) else { continue }
            found.append(candidate)
            if found.count == count { break }
        }
        guard !found.isEmpty || values != nil else { throw BeyondSets("no string was found that meets the patterns") }
        return found
    }
}

/// An opaque condition, such as a pattern. Conditions are equal, or nothing is known about their relation.
struct ShapeAtom: Hashable, Sendable {
    /// The condition as a separate schema.
    let schema: ExactJSON
}

/// The opaque conditions that a value must satisfy, and those that it must violate.
struct AtomSet: Hashable, Sendable {
    var required: Set<ShapeAtom> = []
    var excluded: Set<ShapeAtom> = []

    /// Whether no value can satisfy all conditions.
    var isContradictory: Bool { !required.isDisjoint(with: excluded) }

    func union(_ other: AtomSet) -> AtomSet {
        AtomSet(required: required.union(other.required), excluded: excluded.union(other.excluded))
    }

    /// Returns the ways to satisfy this set and violate the other.
    func difference(_ other: AtomSet) -> [AtomSet] {
        let breaking = Self.sorted(other.required).map { AtomSet(required: required, excluded: excluded.union([$0])) }
        let meeting = Self.sorted(other.excluded).map { AtomSet(required: required.union([$0]), excluded: excluded) }
        return (breaking + meeting).filter { !$0.isContradictory }
    }

    /// Returns the conditions sorted by their JSON, since the order of a `Set` varies between runs.
    static func sorted(_ atoms: Set<ShapeAtom>) -> [ShapeAtom] {
        atoms.count < 2 ? Array(atoms) : atoms.map { ($0, $0.schema.written()) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}

/// Candidate strings for samples.
enum SampleTexts {
    /// The maximum length: longer witnesses would exceed any event.
    private static let longest = 1 << 20

    private static let short: [ExactText] = ["a", "", "b", "A", "1", "a1", "a-b", "é", " ", "\n"]

    /// A value of each format, and near misses.
    private static let formats: [ExactText] = [
        "2018-09-12", "2018-09-12T22:00:00Z", "22:00:00Z", "P1D", "a@example.com", "example.com", "127.0.0.1", "::1",
        "https://example.com/a", "/a", "0", "1-0-0", "a/1-0-0", "00000000-0000-4000-8000-000000000000", "{a}", "%", "(",
    ]

    /// Returns candidates with a valid length, the schemas' own strings first.
    static func candidates(minimum: Int, maximum: Int?, hints: [ExactText], count: Int) -> [ExactText] {
        guard minimum <= longest else { return [] }
        let counted = (0..<count).map { ExactText("a\($0)") }
        let plain = short.prefix(1) + hints + short.dropFirst() + formats + counted
        return plain.map { text in
            let length = text.length
            if length < minimum { return padded(text, by: minimum - length) }
            if let maximum, length > maximum, maximum <= longest {
                return ExactText(String(String.UnicodeScalarView(text.text.unicodeScalars.prefix(maximum))))
            }
            return text
        }
    }

    private static func padded(_ text: ExactText, by count: Int) -> ExactText {
        ExactText(text.text + String(repeating: "a", count: count))
    }
}
