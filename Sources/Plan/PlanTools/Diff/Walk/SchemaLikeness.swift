internal import JSONSchema

/// Tells whether two schemas say the same when their references are followed; what refuses nothing is left out.
final class SchemaLikeness {
    private typealias Pair = [SchemaPlace.Key]

    /// Schemas nested deeper are taken for different.
    private static let deepest = 300

    private let old: SchemaReach
    private let new: SchemaReach
    private let oldInliner: ReferenceInliner
    private let newInliner: ReferenceInliner
    private var alike: Set<Pair> = []
    private var different: Set<Pair> = []

    init(_ old: SchemaReach, _ new: SchemaReach) {
        self.old = old
        self.new = new
        oldInliner = ReferenceInliner(library: old.library)
        newInliner = ReferenceInliner(library: new.library)
    }

    func saySame(_ left: SchemaPlace, _ right: SchemaPlace) -> Bool {
        // Those that refer to themselves cannot be written out: they are walked side by side.
        if let mine = try? oldInliner.inline(left), let theirs = try? newInliner.inline(right) { return mine == theirs }
        var assumed: Set<Pair> = []
        return areAlike(left, right, &assumed, 0)
    }

    /// Whether two `$dynamicRef`, or two references out of the plan, lead to the same.
    func leadSame(_ left: SchemaPlace, _ right: SchemaPlace) -> Bool {
        var assumed: Set<Pair> = []
        return leadAlike(left, right, &assumed, 0)
    }

    /// Two schemas that come back to themselves are the same if no difference was met on the way.
    private func areAlike(_ left: SchemaPlace, _ right: SchemaPlace, _ assumed: inout Set<Pair>, _ depth: Int) -> Bool {
        let (left, right) = (SchemaView(left, in: old.library).place, SchemaView(right, in: new.library).place)
        let pair = [left.key, right.key]
        if alike.contains(pair) { return true }
        guard depth < Self.deepest, !different.contains(pair) else { return false }
        guard assumed.insert(pair).inserted else { return true }
        let isAlike = compare(left, right, &assumed, depth + 1)
        if !isAlike { different.insert(pair) }
        // At the end every assumption was looked into.
        if isAlike, depth == 0 { alike.formUnion(assumed) }
        return isAlike
    }

    private func compare(_ left: SchemaPlace, _ right: SchemaPlace, _ assumed: inout Set<Pair>, _ depth: Int) -> Bool {
        guard left.value.kind == .object, right.value.kind == .object else {
            return left.value.kind != .object && right.value.kind != .object
                && left.value.boolean == right.value.boolean
        }
        let (mine, theirs) = (Self.checks(left), Self.checks(right))
        guard Set(mine.map(\.name)) == Set(theirs.map(\.name)) else { return false }
        for (keyword, one) in mine {
            guard let other = right[keyword] else { return false }
            let isAlike =
                switch KeywordShape(keyword) {
                case .schema: areAlike(one, other, &assumed, depth)
                case .list: areAllAlike(one.elements, other.elements, &assumed, depth)
                case .map:
                    Set(one.members.map(\.name)) == Set(other.members.map(\.name))
                        && areAllAlike(
                            one.members.map(\.place), one.members.compactMap { other[$0.name] }, &assumed, depth)
                case .assertion: ChangeFinder.areEqual(one, other)
                case .reference: leadAlike(one, other, &assumed, depth)
                case .note: true
                }
            if !isAlike { return false }
        }
        return true
    }

    private static func checks(_ place: SchemaPlace) -> [(name: String, place: SchemaPlace)] {
        place.members.filter { member in
            if case .note = KeywordShape(member.name) { false } else { true }
        }
    }

    private func areAllAlike(
        _ left: [SchemaPlace], _ right: [SchemaPlace], _ assumed: inout Set<Pair>, _ depth: Int
    ) -> Bool {
        guard left.count == right.count else { return false }
        for (one, other) in zip(left, right) where !areAlike(one, other, &assumed, depth) { return false }
        return true
    }

    private func leadAlike(_ left: SchemaPlace, _ right: SchemaPlace, _ assumed: inout Set<Pair>, _ depth: Int) -> Bool
    {
        let isDynamic = left.pointer.tokens.last == "$dynamicRef"
        guard isDynamic == (right.pointer.tokens.last == "$dynamicRef"), let one = left.value.string,
            let other = right.value.string
        else { return false }
        if isDynamic {
            if zip(old.documents, new.documents).allSatisfy({ $0.value.document.bytes == $1.value.document.bytes }),
                old.documents.count == new.documents.count
            {
                return one == other
            }
            // With one definition of the name there is nothing to choose from; with more it hangs on the way there.
            guard one == other, Self.isOnlyOne(one, old), Self.isOnlyOne(other, new) else { return false }
        }
        switch (old.library.follow(one, from: left), new.library.follow(other, from: right)) {
        case (let mine?, let theirs?): return areAlike(mine, theirs, &assumed, depth)
        case (nil, nil): return one == other
        default: return false
        }
    }

    private static func isOnlyOne(_ reference: String, _ reach: SchemaReach) -> Bool {
        let name = reference.split(separator: "#", omittingEmptySubsequences: false).last.map(String.init)
        return reach.all { $0 == "$dynamicAnchor" || $0 == "$anchor" }.count { $0.keyword.value.string == name } <= 1
    }
}
