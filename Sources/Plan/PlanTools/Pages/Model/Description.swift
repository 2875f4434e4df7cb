internal import JSONSchema

/// All that is said of one value: by subschemas, by those they refer to, and by those they combine.
struct Description {
    /// The only values that it takes; nil if any other may be right too.
    let listed: [JSONDocument.Value]?
    private let parts: [DescriptionPart]
    private let references: SchemaReferences

    init(_ node: SchemaNode, _ references: SchemaReferences) {
        self.init([DescriptionPart(node, .always)], references)
    }

    /// - Parameter starts: Subschemas of the same value.
    init(_ starts: [DescriptionPart], _ references: SchemaReferences) {
        // A value that only one alternative has is as that one says, whenever it is there.
        let starts = starts.count == 1 ? starts.map { DescriptionPart($0.node, .always) } : starts
        self.references = references
        parts = DescriptionPart.all(starts, references)
        var values = ListedValues(references)
        listed = values.values(starts)
    }

    /// The subschemas that say it.
    var places: Set<SchemaReferences.Place> { Set(parts.map(\.node.place)) }

    /// How many subschemas say it.
    var size: Int { parts.count }

    // MARK: Parts of the value

    /// The properties of an object, those of all parts.
    var properties: [(name: String, starts: [DescriptionPart], isRequired: Bool)] {
        let required = Set(
            parts.filter { $0.certainty == .always }.flatMap {
                $0.node["required"]?.elements.compactMap(\.string) ?? []
            })
        return named("properties").map { ($0.name, $0.starts, required.contains($0.name)) }
    }

    /// The members whose names are not listed: a pattern of their names, or nil for all others.
    var others: [(pattern: String?, starts: [DescriptionPart])] {
        let patterns = named("patternProperties").map { ($0.name as String?, $0.starts) }
        let rest = one("additionalProperties") + one("unevaluatedProperties")
        return patterns + (rest.isEmpty ? [] : [(nil, rest)])
    }

    /// What the elements of an array are, but for the first ones of a tuple.
    var element: [DescriptionPart]? {
        let starts = one("items") + one("unevaluatedItems")
        return starts.isEmpty ? nil : starts
    }

    /// The description of an array's elements.
    var elementDescription: Description? { element.map { Description($0, references) } }

    /// The first elements of an array, if each has a schema of its own.
    var tuple: [[DescriptionPart]] {
        let lists = parts.map { part in
            DescriptionPart.branches(of: part.node, "prefixItems", references).map {
                DescriptionPart($0, part.certainty)
            }
        }
        return (0..<(lists.map(\.count).max() ?? 0)).map { index in
            lists.filter { index < $0.count }.map { $0[index] }
        }
    }

    /// The subschemas of each name below a keyword.
    private func named(_ keyword: String) -> [(name: String, starts: [DescriptionPart])] {
        var found: [(name: String, starts: [DescriptionPart])] = []
        var placeByName: [String: Int] = [:]
        for part in parts {
            for member in part.node[keyword]?.members ?? [] {
                guard let node = references.node(part.node, keyword, member.name) else { continue }
                let start = DescriptionPart(node, part.certainty)
                if let place = placeByName[member.name] {
                    found[place].starts.append(start)
                } else {
                    placeByName[member.name] = found.count
                    found.append((member.name, [start]))
                }
            }
        }
        return found
    }

    /// The subschemas that are a keyword's value; those that are only true or false say nothing.
    private func one(_ keyword: String) -> [DescriptionPart] {
        parts.compactMap { part in
            references.node(part.node, keyword).flatMap {
                $0.value.kind == .object ? DescriptionPart($0, part.certainty) : nil
            }
        }
    }

    // MARK: What is said

    /// What the first part that has a keyword says with it; what is certain comes first.
    subscript(keyword: String) -> JSONDocument.Value? { parts.lazy.compactMap { $0.node[keyword] }.first }

    /// What all parts say with a keyword that hold for every value but null.
    func certain(_ keyword: String) -> [JSONDocument.Value] {
        parts.filter { $0.certainty > .sometimes }.compactMap { $0.node[keyword] }
    }

    /// Whether it is personal: of several marks the strictest; nil if there is none.
    var personal: PersonalData? {
        parts.compactMap { $0.node["x-pii"].flatMap { PersonalData($0) } }.max { $0.strictness < $1.strictness }
    }

    /// The row of a page.
    func row(_ path: String, in parent: String?, isRequired: Bool?) -> PropertyRow {
        PropertyRow(
            path: path, parent: parent, type: PropertyWords.type(self), isRequired: isRequired,
            limits: PropertyWords.limits(self), pattern: certain("pattern").first?.string,
            allowed: (listed ?? []).map { JSONPrinter.line($0) }, description: self["description"]?.string ?? "",
            openReason: self["x-open"]?.string, personal: personal)
    }

    /// The names of the types that the value may have; those of all alternatives where the value itself has none.
    var types: [String] {
        let certain = parts.first { $0.certainty == .always && !$0.node.types.isEmpty }
        var found: [String] = []
        for part in certain.map({ [$0] }) ?? parts {
            let own = part.node.types
            let values = (part.node["enum"]?.elements ?? []) + [part.node["const"]].compactMap { $0 }
            for type in own.isEmpty ? values.map(PropertyWords.kind(of:)) : own where !found.contains(type) {
                found.append(type)
            }
        }
        return found
    }
}

extension PersonalData {
    /// How much of a value is taken away; more is stricter.
    fileprivate var strictness: (Int, Int) {
        switch self {
        case .none: (0, 0)
        case .kept: (1, 0)
        case .truncated(let count): (2, -count)
        case .hashed: (3, 0)
        case .dropped: (4, 0)
        }
    }
}
