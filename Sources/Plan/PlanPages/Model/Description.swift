internal import JSONSchema
internal import TrackingPlan

/// The complete description of one value: from its subschemas, their references and the schemas they combine.
struct Description {
    /// The only allowed values; nil if others may be valid.
    let listed: [JSONDocument.Value]?
    private let parts: [DescriptionPart]

    init(_ node: Subschema) { self.init([DescriptionPart(node, .always)]) }

    /// - Parameter starts: Subschemas of the same value.
    init(_ starts: [DescriptionPart]) {
        // A value that occurs in a single alternative is described by that alternative without restriction.
        let starts = starts.count == 1 ? starts.map { DescriptionPart($0.node, .always) } : starts
        parts = DescriptionPart.all(starts)
        var values = ListedValues()
        listed = values.values(starts)
    }

    /// The subschemas that describe the value.
    var locations: Set<Subschema> { Set(parts.map(\.node)) }

    /// The number of subschemas that describe the value.
    var size: Int { parts.count }

    /// The properties of an object, from all parts.
    var properties: [(name: String, starts: [DescriptionPart], isRequired: Bool)] {
        let required = Set(
            parts.filter { $0.certainty == .always }.flatMap {
                $0.node[.required]?.elements.compactMap(\.string) ?? []
            })
        return named(.properties).map { ($0.name, $0.starts, required.contains($0.name)) }
    }

    /// The members without a listed name, by name pattern; a nil pattern stands for all other members.
    var others: [(pattern: String?, starts: [DescriptionPart])] {
        let patterns = named(.patternProperties).map { ($0.name as String?, $0.starts) }
        let rest = one(.additionalProperties) + one(.unevaluatedProperties)
        return patterns + (rest.isEmpty ? [] : [(nil, rest)])
    }

    /// The schemas of an array's elements, except for the first elements of a tuple.
    var element: [DescriptionPart]? {
        let starts = one(.items) + one(.unevaluatedItems)
        return starts.isEmpty ? nil : starts
    }

    /// The description of an array's elements.
    var elementDescription: Description? { element.map { Description($0) } }

    /// The schemas of an array's first elements, if each has a separate schema.
    var tuple: [[DescriptionPart]] {
        let lists = parts.map { part in
            part.node.schemas(in: .prefixItems).map { DescriptionPart($0, part.certainty) }
        }
        return (0..<(lists.map(\.count).max() ?? 0)).map { index in
            lists.filter { index < $0.count }.map { $0[index] }
        }
    }

    /// Returns the subschemas in a keyword, by name.
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

    /// Returns the subschemas in a keyword, without boolean schemas.
    private func one(_ keyword: SchemaKeyword) -> [DescriptionPart] {
        parts.compactMap { part in
            part.node.schema(in: keyword).flatMap {
                $0.value.kind == .object ? DescriptionPart($0, part.certainty) : nil
            }
        }
    }

    /// Returns the value of a keyword in the first part that has it, certain parts first.
    subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { parts.lazy.compactMap { $0.node[keyword] }.first }

    /// Returns the value of an annotation in the first part that has it, certain parts first.
    subscript(annotation: PlanAnnotation) -> JSONDocument.Value? {
        parts.lazy.compactMap { $0.node[annotation] }.first
    }

    /// Returns the values of a keyword in all parts that apply to every value except null.
    func certain(_ keyword: SchemaKeyword) -> [JSONDocument.Value] {
        parts.filter { $0.certainty > .sometimes }.compactMap { $0.node[keyword] }
    }

    /// Returns the values of an annotation in all parts that apply to every value except null.
    func certain(_ annotation: PlanAnnotation) -> [JSONDocument.Value] {
        parts.filter { $0.certainty > .sometimes }.compactMap { $0.node[annotation] }
    }

    /// The strictest of all personal-data marks; nil if there is none.
    var personal: PersonalData? {
        parts.compactMap { $0.node[.pii].flatMap { PersonalData($0) } }.max { $0.strictness < $1.strictness }
    }

    /// Returns the row in a property table.
    func row(_ path: String, in parent: String?, isRequired: Bool?) -> PropertyRow {
        PropertyRow(
            path: path, parent: parent, type: PropertyWords.type(self), isRequired: isRequired,
            limits: PropertyWords.limits(self), pattern: certain(.pattern).first?.string,
            allowed: (listed ?? []).map { JSONPrinter.line($0) }, description: self[.description]?.string ?? "",
            openReason: self[.open]?.string, personal: personal)
    }

    /// The names of the possible types; those of all alternatives if the value itself has none.
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
    /// The strictness of the redaction; more is stricter.
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

/// A subschema that describes a value.
struct DescriptionPart {
    /// The extent to which the subschema applies.
    enum Certainty: Int, Comparable {
        /// Only to some values: it is one of several alternatives.
        case sometimes
        /// To every value except null: null is the only alternative.
        case unlessNull
        /// To every value.
        case always

        static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
    }

    let node: Subschema
    let certainty: Certainty

    init(_ node: Subschema, _ certainty: Certainty) {
        self.node = node
        self.certainty = certainty
    }

    /// Returns all parts that describe the values of some subschemas, certain parts first, without duplicates.
    static func all(_ starts: [DescriptionPart]) -> [DescriptionPart] {
        var parts: [DescriptionPart] = []
        var seen: Set<Subschema> = []
        var waiting: [Certainty: [DescriptionPart]] = Dictionary(grouping: starts, by: \.certainty)
        for certainty in [Certainty.always, .unlessNull, .sometimes] {
            // Visit the last one next, to keep the order of the text.
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

    /// The schemas that it references and combines. The switch has no `default`: a new keyword with schemas of the same
    /// value belongs to the description.
    private var children: [DescriptionPart] {
        SchemaKeyword.allCases.flatMap { keyword -> [DescriptionPart] in
            switch keyword {
            case .ref, .dynamicRef: node.described(by: keyword).map { DescriptionPart($0, certainty) }
            case .allOf: node.schemas(in: keyword).map { DescriptionPart($0, certainty) }
            case .anyOf, .oneOf: alternatives(in: keyword)
            case .then, .else, .dependentSchemas: node.schemas(in: keyword).map { DescriptionPart($0, .sometimes) }
            // These describe invalid values, or choose between other schemas.
            case .not, .if: []
            // Schemas of members, elements and names have separate rows.
            case .properties, .patternProperties, .additionalProperties, .propertyNames, .unevaluatedProperties,
                .prefixItems, .items, .contains, .unevaluatedItems:
                []
            // Values, and schemas that apply only where they are referenced.
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
    /// Returns the target of a reference within the plan, if any.
    fileprivate func described(by reference: SchemaKeyword) -> [Subschema] {
        [target(of: reference)].compactMap { $0 }.filter(\.isReachedByKeywords)
    }

    /// The targets of its references.
    var described: [Subschema] { described(by: .ref) + described(by: .dynamicRef) }
}
