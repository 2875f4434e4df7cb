internal import JSONSchema
internal import TrackingPlan

/// The schemas that apply to one value, including those in place and behind references.
struct AppliedSchemas {
    /// A schema, and whether it applies to every value, not only conditionally or as an alternative.
    struct Entry: Hashable {
        let schema: Subschema
        let isSure: Bool
    }

    /// A step from a value to a member or element.
    enum Step: Hashable {
        case member(String)
        /// A member whose name matches a pattern and is not a named one.
        case matching(String)
        /// Any other member.
        case otherMember
        case element(Int)
        /// Any further element.
        case otherElement
        /// The name of a member.
        case name
    }

    /// The schemas from which the others were found.
    let start: Set<Entry>
    private let names: NamePatterns
    private var found: [(schema: Subschema, isSure: Bool)] = []

    init(_ schema: Subschema, names: NamePatterns) { self.init([(schema, true)], names: names) }

    private init(_ schemas: [(schema: Subschema, isSure: Bool)], names: NamePatterns) {
        self.names = names
        start = Set(schemas.map { Entry(schema: $0.schema, isSure: $0.isSure) })
        var seen = start
        found = schemas
        var next = 0
        while next < found.count {
            let (schema, isSure) = found[next]
            for inner in Self.inPlace(schema) {
                let entry = Entry(schema: inner.schema, isSure: inner.isSure && isSure)
                if seen.insert(entry).inserted { found.append((inner.schema, entry.isSure)) }
            }
            next += 1
        }
    }

    /// Returns the schemas of the same value, those behind references last.
    private static func inPlace(_ schema: Subschema) -> [(schema: Subschema, isSure: Bool)] {
        // A schema in `not` protects nothing.
        let keywords = SchemaKeyword.allCases.filter { $0.role == .inPlace && $0 != .not }
        var inner: [(Subschema, Bool)] = []
        for keyword in keywords where keyword.content != .reference && schema[keyword] != nil {
            inner += schema.schemas(in: keyword).map { ($0, keyword == .allOf) }
        }
        for keyword in keywords where keyword.content == .reference {
            if let target = schema.target(of: keyword) { inner.append((target, keyword == .ref)) }
        }
        return inner
    }

    /// Whether no value is possible.
    var isImpossible: Bool { found.contains { $0.isSure && $0.schema.value.boolean == false } }

    /// The strongest `x-pii` mark.
    var mark: SchemaPart? {
        found.compactMap { $0.schema.part(.pii) }.max { PersonalProtection($0) < PersonalProtection($1) }
    }

    var schema: Subschema? { found.first?.schema }

    /// The steps that any of the schemas describes. The switch has no `default`: a new keyword with schemas of members
    /// or elements adds steps.
    var steps: Set<Step> {
        var steps: Set<Step> = []
        for (schema, _) in found {
            for (keyword, member) in schema.keywords {
                switch keyword {
                case .properties: for part in member.value.members { steps.insert(.member(part.name)) }
                case .patternProperties: for part in member.value.members { steps.insert(.matching(part.name)) }
                case .prefixItems: for index in member.value.elements.indices { steps.insert(.element(index)) }
                case .additionalProperties, .unevaluatedProperties: steps.insert(.otherMember)
                case .items, .unevaluatedItems, .contains: steps.insert(.otherElement)
                case .propertyNames: steps.insert(.name)
                // Schemas of the same value are already included.
                case .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas: break
                // No schemas, or none that apply to a value here.
                case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .type, .enum, .const,
                    .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength, .minLength,
                    .pattern, .format, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains,
                    .maxProperties, .minProperties, .required, .dependentRequired, .contentEncoding,
                    .contentMediaType, .contentSchema, .title, .description, .default, .deprecated, .readOnly,
                    .writeOnly, .examples:
                    break
                }
            }
        }
        return steps
    }

    /// Returns the schemas that apply after a step.
    func after(_ step: Step) -> AppliedSchemas {
        var inner: [(schema: Subschema, isSure: Bool)] = []
        var rest: [(schema: Subschema, isSure: Bool)] = []
        var isEvaluated = false
        for (schema, isSure) in found where schema.value.kind == .object {
            let (own, unevaluated) = described(step, by: schema)
            inner += own.map { ($0, isSure) }
            if own.isEmpty { rest += unevaluated.map { [($0, isSure)] } ?? [] } else { isEvaluated = true }
            if step.isElement, let part = schema.schema(in: .contains) { inner.append((part, false)) }
        }
        return AppliedSchemas(isEvaluated ? inner : inner + rest, names: names)
    }

    /// Returns the schemas for a step, and the fallback if no other schema evaluates it.
    private func described(_ step: Step, by schema: Subschema) -> (own: [Subschema], unevaluated: Subschema?) {
        let patterns = schema.named(in: .patternProperties)
        var own: [Subschema] = []
        switch step {
        case .name: return ([schema.schema(in: .propertyNames)].compactMap { $0 }, nil)
        case .member(let name):
            own = [schema.schema(in: .properties, named: name)].compactMap { $0 }
            own += patterns.filter { names.matches($0.name, name) }.map(\.schema)
        case .matching(let pattern):
            own = patterns.filter { $0.name == pattern }.map(\.schema)
            // A name that matches this pattern may match another pattern, too.
            if own.isEmpty, !patterns.isEmpty { return ([], nil) }
        case .element(let index):
            let prefix = schema.schemas(in: .prefixItems)
            if prefix.indices.contains(index) { own = [prefix[index]] }
        case .otherMember, .otherElement: break
        }
        let others = step.isElement ? SchemaKeyword.items : .additionalProperties
        if own.isEmpty, let others = schema.schema(in: others) { own = [others] }
        return (own, schema.schema(in: step.isElement ? .unevaluatedItems : .unevaluatedProperties))
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

    /// The order in which to visit steps.
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
