internal import JSONSchema

/// Compares two schemas for equivalence, after resolving references and removing keywords that reject nothing.
final class SchemaEquivalence {
    private typealias Pair = [Subschema]

    /// The maximum depth. Deeper schemas count as different.
    private static let deepest = 300

    private let old: SchemaReach
    private let new: SchemaReach
    private let oldInliner = ReferenceInliner()
    private let newInliner = ReferenceInliner()
    private var alike: Set<Pair> = []
    private var different: Set<Pair> = []

    init(_ old: SchemaReach, _ new: SchemaReach) {
        self.old = old
        self.new = new
    }

    func areEquivalent(_ left: Subschema, _ right: Subschema) -> Bool {
        // Recursive schemas cannot be inlined, so they are walked in parallel.
        if let mine = try? oldInliner.inline(left), let theirs = try? newInliner.inline(right) { return mine == theirs }
        var assumed: Set<Pair> = []
        return areAlike(left, right, assuming: &assumed, depth: 0)
    }

    /// Returns whether two `$dynamicRef`, or two references that leave the plan, have the same target.
    func haveSameTarget(_ left: SchemaPart, _ right: SchemaPart) -> Bool {
        var assumed: Set<Pair> = []
        return leadAlike(left, right, assuming: &assumed, depth: 0)
    }

    /// Returns whether two schemas are equivalent. Recursive schemas are, if the walk finds no difference.
    private func areAlike(_ left: Subschema, _ right: Subschema, assuming assumed: inout Set<Pair>, depth: Int) -> Bool
    {
        let left = SchemaView(left).schema
        let right = SchemaView(right).schema
        let pair = [left, right]
        if alike.contains(pair) { return true }
        guard depth < Self.deepest, !different.contains(pair) else { return false }
        guard assumed.insert(pair).inserted else { return true }
        let isAlike = compare(left, right, assuming: &assumed, depth: depth + 1)
        if !isAlike { different.insert(pair) }
        // At the end of the walk every assumption is confirmed.
        if isAlike, depth == 0 { alike.formUnion(assumed) }
        return isAlike
    }

    private func compare(_ left: Subschema, _ right: Subschema, assuming assumed: inout Set<Pair>, depth: Int) -> Bool {
        guard left.value.kind == .object, right.value.kind == .object else {
            return left.value.kind != .object && right.value.kind != .object
                && left.value.boolean == right.value.boolean
        }
        let mine = Self.checks(left)
        let theirs = Self.checks(right)
        guard Set(mine) == Set(theirs) else { return false }
        return mine.allSatisfy { keyword in
            guard let one = left.part(keyword), let other = right.part(keyword) else { return false }
            switch keyword.content {
            case .schema, .list:
                return areAllAlike(
                    left.schemas(in: keyword), right.schemas(in: keyword), assuming: &assumed, depth: depth)
            case .map:
                let one = left.named(in: keyword)
                let other = right.named(in: keyword)
                let schemas = Dictionary(other.map { (ExactText($0.name), $0.schema) }) { first, _ in first }
                return Set(one.map { ExactText($0.name) }) == Set(schemas.keys)
                    && areAllAlike(
                        one.map(\.schema), one.compactMap { schemas[ExactText($0.name)] }, assuming: &assumed,
                        depth: depth)
            case .reference: return leadAlike(one, other, assuming: &assumed, depth: depth)
            case .value: return ChangeFinder.areEqual(one, other)
            }
        }
    }

    private static func checks(_ schema: Subschema) -> [SchemaKeyword] {
        schema.keywords.map(\.keyword).filter(\.rejectsValues)
    }

    private func areAllAlike(
        _ left: [Subschema], _ right: [Subschema], assuming assumed: inout Set<Pair>, depth: Int
    ) -> Bool {
        guard left.count == right.count else { return false }
        for (one, other) in zip(left, right) where !areAlike(one, other, assuming: &assumed, depth: depth) {
            return false
        }
        return true
    }

    private func leadAlike(
        _ left: SchemaPart, _ right: SchemaPart, assuming assumed: inout Set<Pair>, depth: Int
    ) -> Bool {
        guard let keyword = left.keyword, keyword == right.keyword, let one = left.value.string,
            let other = right.value.string
        else { return false }
        if keyword == .dynamicRef {
            if zip(old.documents, new.documents).allSatisfy({ $0.bytes == $1.bytes }),
                old.documents.count == new.documents.count
            {
                return one == other
            }
            // A single definition of the name is unambiguous; with several, the target depends on the path.
            guard one == other, Self.isOnlyOne(one, old), Self.isOnlyOne(other, new) else { return false }
        }
        switch (left.schema.target(of: keyword), right.schema.target(of: keyword)) {
        case (let mine?, let theirs?): return areAlike(mine, theirs, assuming: &assumed, depth: depth)
        case (nil, nil): return one == other
        default: return false
        }
    }

    private static func isOnlyOne(_ reference: String, _ reach: SchemaReach) -> Bool {
        let name = reference.split(separator: "#", omittingEmptySubsequences: false).last.map(String.init)
        let anchors = reach.schemas.flatMap { [$0[.dynamicAnchor], $0[.anchor]].compactMap { $0?.string } }
        return anchors.count { $0 == name } <= 1
    }
}
