internal import JSONSchema
internal import TrackingPlan

/// All that is said of one value: by subschemas, by those they refer to, and by those they combine.
struct Description {
    /// The only values that it takes; nil if any other may be right too.
    let listed: [JSONDocument.Value]?
    private let parts: [DescriptionPart]

    init(_ node: Subschema) { self.init([DescriptionPart(node, .always)]) }

    /// - Parameter starts: Subschemas of the same value.
    init(_ starts: [DescriptionPart]) {
        // A value that only one alternative has is as that one says, whenever it is there.
        let starts = starts.count == 1 ? starts.map { DescriptionPart($0.node, .always) } : starts
        parts = DescriptionPart.all(starts)
        var values = ListedValues()
        listed = values.values(starts)
    }

    /// The subschemas that say it.
    var locations: Set<Subschema> { Set(parts.map(\.node)) }

    /// How many subschemas say it.
    var size: Int { parts.count }

    // MARK: Parts of the value

    /// The properties of an object, those of all parts.
    var properties: [(name: String, starts: [DescriptionPart], isRequired: Bool)] {
        let required = Set(
            parts.filter { $0.certainty == .always }.flatMap {
                $0.node[.required]?.elements.compactMap(\.string) ?? []
            })
        return named(.properties).map { ($0.name, $0.starts, required.contains($0.name)) }
    }

    /// The members whose names are not listed: a pattern of their names, or nil for all others.
    var others: [(pattern: String?, starts: [DescriptionPart])] {
        let patterns = named(.patternProperties).map { ($0.name as String?, $0.starts) }
        let rest = one(.additionalProperties) + one(.unevaluatedProperties)
        return patterns + (rest.isEmpty ? [] : [(nil, rest)])
    }

    /// What the elements of an array are, but for the first ones of a tuple.
    var element: [DescriptionPart]? {
        let starts = one(.items) + one(.unevaluatedItems)
        return starts.isEmpty ? nil : starts
    }

    /// The description of an array's elements.
    var elementDescription: Description? { element.map { Description($0) } }

    /// The first elements of an array, if each has a schema of its own.
    var tuple: [[DescriptionPart]] {
        let lists = parts.map { part in
            part.node.schemas(in: .prefixItems).map { DescriptionPart($0, part.certainty) }
        }
        return (0..<(lists.map(\.count).max() ?? 0)).map { index in
            lists.filter { index < $0.count }.map { $0[index] }
        }
    }

    /// The subschemas of each name below a keyword.
    private func named(_ keyword: SchemaKeyword) -> [(name: String, starts: [DescriptionPart])] {
        var found: [(name: String, starts: [DescriptionPart])] = []
        var locationByName: [String: Int] = [:]
        for part in parts {
            for (name, node) in part.node.named(in: keyword) {
                let start = DescriptionPart(node, part.certainty)
                if let location = locationByName[name] {
                    found[location].starts.append(start)
                } else {
                    locationByName[name] = found.count
                    found.append((name, [start]))
                }
            }
        }
        return found
    }

    /// The subschemas that are a keyword's value; those that are only true or false say nothing.
    private func one(_ keyword: SchemaKeyword) -> [DescriptionPart] {
        parts.compactMap { part in
            part.node.schema(in: keyword).flatMap {
                $0.value.kind == .object ? DescriptionPart($0, part.certainty) : nil
            }
        }
    }

    // MARK: What is said

    /// What the first part that has a keyword says with it; what is certain comes first.
    subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { parts.lazy.compactMap { $0.node[keyword] }.first }

    /// The same of an annotation.
    subscript(annotation: PlanAnnotation) -> JSONDocument.Value? {
        parts.lazy.compactMap { $0.node[annotation] }.first
    }

    /// What all parts say with a keyword that hold for every value but null.
    func certain(_ keyword: SchemaKeyword) -> [JSONDocument.Value] {
        parts.filter { $0.certainty > .sometimes }.compactMap { $0.node[keyword] }
    }

    /// The same of an annotation.
    func certain(_ annotation: PlanAnnotation) -> [JSONDocument.Value] {
        parts.filter { $0.certainty > .sometimes }.compactMap { $0.node[annotation] }
    }

    /// Whether it is personal: of several marks the strictest; nil if there is none.
    var personal: PersonalData? {
        parts.compactMap { $0.node[.pii].flatMap { PersonalData($0) } }.max { $0.strictness < $1.strictness }
    }

    /// The row of a page.
    func row(_ path: String, in parent: String?, isRequired: Bool?) -> PropertyRow {
        PropertyRow(
            path: path, parent: parent, type: PropertyWords.type(self), isRequired: isRequired,
            limits: PropertyWords.limits(self), pattern: certain(.pattern).first?.string,
            allowed: (listed ?? []).map { JSONPrinter.line($0) }, description: self[.description]?.string ?? "",
            openReason: self[.open]?.string, personal: personal)
    }

    /// The names of the types that the value may have; those of all alternatives where the value itself has none.
    var types: [String] {
        let certain = parts.first { $0.certainty == .always && !$0.node.types.isEmpty }
        var found: [String] = []
        for part in certain.map({ [$0] }) ?? parts {
            let own = part.node.types
            let values = (part.node[.enum]?.elements ?? []) + [part.node[.const]].compactMap { $0 }
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

/// A subschema that says something of a value.
struct DescriptionPart {
    /// How far what it says holds.
    enum Certainty: Int, Comparable {
        /// Only for some values: one of several alternatives.
        case sometimes
        /// For every value but null: the only alternative to it.
        case unlessNull
        /// For every value.
        case always

        static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
    }

    let node: Subschema
    let certainty: Certainty

    init(_ node: Subschema, _ certainty: Certainty) {
        self.node = node
        self.certainty = certainty
    }

    /// All that is said of the values of some subschemas: what is certain first, each part once.
    static func all(_ starts: [DescriptionPart]) -> [DescriptionPart] {
        var parts: [DescriptionPart] = []
        var seen: Set<Subschema> = []
        var waiting: [Certainty: [DescriptionPart]] = Dictionary(grouping: starts, by: \.certainty)
        for certainty in [Certainty.always, .unlessNull, .sometimes] {
            // The last is the next, so that the order is that of the text.
            var open = Array((waiting[certainty] ?? []).reversed())
            while let part = open.popLast() {
                guard seen.insert(part.node).inserted else { continue }
                parts.append(part)
                let children = part.children
                open += children.filter { $0.certainty == certainty }.reversed()
                for child in children where child.certainty < certainty {
                    waiting[child.certainty, default: []].append(child)
                }
            }
        }
        return parts
    }

    /// What it refers to, and what it combines. Without `default`: a new keyword that holds schemas for the same value
    /// belongs to the description.
    private var children: [DescriptionPart] {
        SchemaKeyword.allCases.flatMap { keyword -> [DescriptionPart] in
            switch keyword {
            case .ref, .dynamicRef: node.described(by: keyword).map { DescriptionPart($0, certainty) }
            case .allOf: node.schemas(in: keyword).map { DescriptionPart($0, certainty) }
            case .anyOf, .oneOf: alternatives(in: keyword)
            case .then, .else, .dependentSchemas: node.schemas(in: keyword).map { DescriptionPart($0, .sometimes) }
            // They say what a value is not, or choose between others.
            case .not, .if: []
            // Schemas of members, elements and names, which have rows of their own.
            case .properties, .patternProperties, .additionalProperties, .propertyNames, .unevaluatedProperties,
                .prefixItems, .items, .contains, .unevaluatedItems:
                []
            // Values, and schemas that count where they are referred to.
            case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .type, .enum, .const,
                .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength, .minLength,
                .pattern, .format, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains, .maxProperties,
                .minProperties, .required, .dependentRequired, .contentEncoding, .contentMediaType, .contentSchema,
                .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
                []
            }
        }
    }

    private func alternatives(in keyword: SchemaKeyword) -> [DescriptionPart] {
        let branches = node.schemas(in: keyword)
        let isOne = branches.count { $0.types != ["null"] } == 1
        return branches.map {
            DescriptionPart($0, isOne && $0.types != ["null"] ? min(certainty, .unlessNull) : .sometimes)
        }
    }
}

extension Subschema {
    /// What a reference leads to within the plan; none if it leads nowhere.
    fileprivate func described(by reference: SchemaKeyword) -> [Subschema] {
        [target(of: reference)].compactMap { $0 }.filter(\.isReachedByKeywords)
    }

    /// What it refers to.
    var described: [Subschema] { described(by: .ref) + described(by: .dynamicRef) }
}
