internal import JSONSchema

/// The schemas that are applied to one value, those in place and behind references too.
struct AppliedSchemas {
    /// A schema, and whether it is applied to every value, not only under a condition or as one of several.
    struct Entry: Hashable {
        let key: SchemaPlace.Key
        let isSure: Bool
    }

    /// Where in a value another one stands.
    enum Step: Hashable {
        case member(String)
        /// A member whose name matches a pattern and is none of the named ones.
        case matching(String)
        /// Any other member.
        case otherMember
        case element(Int)
        /// Any further element.
        case otherElement
        /// The name of a member.
        case name
    }

    /// What they were found from.
    let start: Set<Entry>
    private let reach: SchemaReach
    private let names: NamePatterns
    private var found: [(place: SchemaPlace, isSure: Bool)] = []

    init(_ places: [SchemaPlace], reach: SchemaReach, names: NamePatterns) {
        self.init(places.map { ($0, true) }, reach: reach, names: names)
    }

    private init(_ places: [(place: SchemaPlace, isSure: Bool)], reach: SchemaReach, names: NamePatterns) {
        (self.reach, self.names) = (reach, names)
        start = Set(places.map { Entry(key: $0.place.key, isSure: $0.isSure) })
        var seen = start
        found = places
        var next = 0
        while next < found.count {
            let (place, isSure) = found[next]
            for inner in inPlace(place) {
                let entry = Entry(key: inner.place.key, isSure: inner.isSure && isSure)
                if seen.insert(entry).inserted { found.append((inner.place, entry.isSure)) }
            }
            next += 1
        }
    }

    private func inPlace(_ place: SchemaPlace) -> [(place: SchemaPlace, isSure: Bool)] {
        guard place.value.kind == .object else { return [] }
        var inner = (place["allOf"]?.elements ?? []).map { ($0, true) }
        for keyword in ["anyOf", "oneOf"] { inner += (place[keyword]?.elements ?? []).map { ($0, false) } }
        inner += ["if", "then", "else"].compactMap { place[$0] }.map { ($0, false) }
        inner += (place["dependentSchemas"]?.members ?? []).map { ($0.place, false) }
        for keyword in ["$ref", "$dynamicRef"] {
            guard let text = place[keyword]?.value.string, let target = reach.library.follow(text, from: place) else {
                continue
            }
            inner.append((target, keyword == "$ref"))
        }
        return inner
    }

    /// Whether no value can stand there.
    var isImpossible: Bool { found.contains { $0.isSure && $0.place.value.boolean == false } }

    /// The strongest mark.
    var mark: SchemaPlace? {
        found.compactMap { $0.place.value.kind == .object ? $0.place["x-pii"] : nil }
            .max { PersonalProtection($0) < PersonalProtection($1) }
    }

    /// One of them.
    var place: SchemaPlace? { found.first?.place }

    /// The steps that any of them says something of.
    var steps: Set<Step> {
        var steps: Set<Step> = []
        for (place, _) in found where place.value.kind == .object {
            for member in place["properties"]?.members ?? [] { steps.insert(.member(member.name)) }
            for member in place["patternProperties"]?.members ?? [] { steps.insert(.matching(member.name)) }
            for index in place["prefixItems"]?.value.elements.indices ?? 0..<0 { steps.insert(.element(index)) }
            for keyword in ["additionalProperties", "unevaluatedProperties"] where place[keyword] != nil {
                steps.insert(.otherMember)
            }
            for keyword in ["items", "unevaluatedItems", "contains"] where place[keyword] != nil {
                steps.insert(.otherElement)
            }
            if place["propertyNames"] != nil { steps.insert(.name) }
        }
        return steps
    }

    /// What is applied one step further.
    func after(_ step: Step) -> AppliedSchemas {
        var inner: [(place: SchemaPlace, isSure: Bool)] = []
        var rest: [(place: SchemaPlace, isSure: Bool)] = []
        var isEvaluated = false
        for (place, isSure) in found where place.value.kind == .object {
            let (own, unevaluated) = described(step, by: place)
            inner += own.map { ($0, isSure) }
            if own.isEmpty { rest += unevaluated.map { [($0, isSure)] } ?? [] } else { isEvaluated = true }
            if let part = place["contains"], step.isElement { inner.append((part, false)) }
        }
        return AppliedSchemas(isEvaluated ? inner : inner + rest, reach: reach, names: names)
    }

    /// What a schema says there, and what it says if no other does.
    private func described(
        _ step: Step, by place: SchemaPlace
    ) -> (own: [SchemaPlace], unevaluated: SchemaPlace?) {
        let patterns = place["patternProperties"]?.members ?? []
        var own: [SchemaPlace] = []
        switch step {
        case .name: return ([place["propertyNames"]].compactMap { $0 }, nil)
        case .member(let name):
            own = [place["properties"]?[name]].compactMap { $0 }
            own += patterns.filter { names.matches($0.name, name) }.map(\.place)
        case .matching(let pattern):
            own = patterns.filter { $0.name == pattern }.map(\.place)
            // A name of that kind may match another pattern, too.
            if own.isEmpty, !patterns.isEmpty { return ([], nil) }
        case .element(let index):
            let prefix = place["prefixItems"]?.elements ?? []
            if prefix.indices.contains(index) { own = [prefix[index]] }
        case .otherMember, .otherElement: break
        }
        if own.isEmpty, let others = place[step.isElement ? "items" : "additionalProperties"] { own = [others] }
        return (own, place[step.isElement ? "unevaluatedItems" : "unevaluatedProperties"])
    }
}

extension AppliedSchemas.Step {
    var isElement: Bool {
        switch self {
        case .element, .otherElement: true
        default: false
        }
    }

    /// The step in a path; `*` for any.
    var token: String? {
        switch self {
        case .member(let name): name
        case .element(let index): String(index)
        case .matching, .otherMember, .otherElement: "*"
        case .name: nil
        }
    }

    /// In which order steps are taken.
    var order: (Int, Int, String) {
        switch self {
        case .member(let name): (0, 0, name)
        case .matching(let pattern): (1, 0, pattern)
        case .otherMember: (2, 0, "")
        case .element(let index): (3, index, "")
        case .otherElement: (4, 0, "")
        case .name: (5, 0, "")
        }
    }
}
