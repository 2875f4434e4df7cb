internal import JSONSchema

/// Walks through two schemas in parallel and lists the changes by the table of rules.
struct ChangeFinder {
    let oldLibrary: SchemaLibrary
    let newLibrary: SchemaLibrary
    private(set) var changes: [SchemaChange] = []
    /// The pairs that are being compared, to stop at recursive schemas.
    private var open: Set<PairKey> = []
    /// The compared pairs and their changes.
    private var done: [PairKey: (depth: Int, changes: Range<Int>)] = [:]
    private let likeness: SchemaEquivalence

    /// The limit from which changes are no longer repeated for each reference to the same schema.
    private static let mostChanges = 1000

    private struct PairKey: Hashable {
        let old: Subschema
        let new: Subschema
        let isWatched: Bool
    }

    init(
        from old: Subschema, in oldLibrary: SchemaLibrary, to new: Subschema, in newLibrary: SchemaLibrary
    ) {
        self.oldLibrary = oldLibrary
        self.newLibrary = newLibrary
        likeness = SchemaEquivalence(
            SchemaReach(from: old, in: oldLibrary), SchemaReach(from: new, in: newLibrary))
    }

    /// Returns the changes between two schemas, in the order of the new schema's keywords.
    static func changes(
        from old: Subschema, in oldLibrary: SchemaLibrary, to new: Subschema, in newLibrary: SchemaLibrary
    ) -> [SchemaChange] {
        var finder = ChangeFinder(from: old, in: oldLibrary, to: new, in: newLibrary)
        finder.compare(old, new, at: [])
        finder.comparePersonal(old, new)
        return finder.changes
    }

    /// Compares two schemas of the same value. A pair is walked only once.
    ///
    /// - Parameter isWatched: Whether an enclosing schema depends on which members or elements this schema evaluates.
    mutating func compare(_ old: Subschema, _ new: Subschema, at path: [String], isWatched: Bool = false) {
        let key = PairKey(old: old, new: new, isWatched: isWatched)
        if let known = done[key] {
            for change in changes[known.changes] where changes.count < Self.mostChanges {
                changes.append(change.moved(to: path + change.path.dropFirst(known.depth)))
            }
            return
        }
        let pair = SchemaPair(
            old: SchemaView(old), new: SchemaView(new), path: path, isWatchedAround: isWatched)
        let inner = PairKey(old: pair.old.schema, new: pair.new.schema, isWatched: isWatched)
        guard open.insert(inner).inserted else { return }
        let first = changes.count
        compare(pair)
        open.remove(inner)
        done[key] = (path.count, first..<changes.count)
    }

    private mutating func compare(_ pair: SchemaPair) {
        guard pair.old.isFalse == pair.new.isFalse else {
            let isForbidden = pair.new.isFalse
            add(
                isForbidden ? "value-forbidden" : "value-allowed", keyword: "false", old: pair.old.schema,
                new: pair.new.schema, path: pair.path,
                explanation: isForbidden ? "no value is accepted any more" : "values are now accepted")
            return
        }
        for keyword in Self.inOrder { compare(keyword, pair) }
        compareParts(
            pair, old: pair.old.parts, new: pair.new.parts, keyword: .allOf, added: "all-of-added",
            removed: "all-of-removed")
        for keyword in Self.combining { compare(keyword, pair) }
        compareNotes(pair)
    }

    /// The keywords that reject values, in the order of their changes. Keywords that are not listed come last.
    private static let inOrder: [SchemaKeyword] = {
        let first: [SchemaKeyword] = [
            .type, .enum, .properties, .additionalProperties, .minProperties, .maxProperties, .patternProperties,
            .dependentSchemas, .dependentRequired, .propertyNames, .minimum, .maximum, .multipleOf, .minLength,
            .maxLength, .pattern, .format, .minItems, .maxItems, .uniqueItems, .prefixItems, .items, .contains,
        ]
        let others = SchemaKeyword.allCases.filter { !first.contains($0) && !combining.contains($0) }
        return first + others.filter(\.rejectsValues)
    }()

    /// The last keywords, after the parts that every value must satisfy.
    private static let combining: [SchemaKeyword] = [.anyOf, .oneOf, .not, .if, .then, .else, .ref]

    /// Compares one keyword of two schemas. The switch has no `default`: a new keyword needs a rule.
    mutating func compare(_ keyword: SchemaKeyword, _ pair: SchemaPair) {
        switch keyword {
        case .type: compareTypes(pair)
        case .enum: compareValues(pair)
        case .properties: compareProperties(pair)
        case .additionalProperties:
            compareRest(
                pair, own: keyword, unevaluated: .unevaluatedProperties, closed: "object-closed",
                opened: "object-opened",
                restricted: "additional-restricted", freed: "additional-freed", what: "additional members")
        case .minProperties:
            compareCount(pair, keyword, raised: "min-properties-raised", lowered: "min-properties-lowered")
        case .maxProperties:
            compareCount(pair, keyword, raised: "max-properties-raised", lowered: "max-properties-lowered")
        case .patternProperties:
            compareMap(
                pair, keyword, added: "pattern-property-added", removed: "pattern-property-removed", deeper: true)
        case .dependentSchemas:
            compareMap(pair, keyword, added: "dependency-added", removed: "dependency-removed", deeper: false)
        case .dependentRequired: compareDependentRequired(pair)
        case .propertyNames: compareNames(pair)
        case .minimum:
            compareBound(
                pair, inclusive: keyword, exclusive: .exclusiveMinimum, raised: "minimum-raised",
                lowered: "minimum-lowered"
            ) {
                $0 > $1
            }
        case .maximum:
            compareBound(
                pair, inclusive: keyword, exclusive: .exclusiveMaximum, raised: "maximum-lowered",
                lowered: "maximum-raised"
            ) {
                $0 < $1
            }
        case .multipleOf: compareSteps(pair)
        case .minLength: compareCount(pair, keyword, raised: "min-length-raised", lowered: "min-length-lowered")
        case .maxLength: compareCount(pair, keyword, raised: "max-length-raised", lowered: "max-length-lowered")
        case .pattern, .format: compareText(pair, keyword)
        case .minItems: compareCount(pair, keyword, raised: "min-items-raised", lowered: "min-items-lowered")
        case .maxItems: compareCount(pair, keyword, raised: "max-items-raised", lowered: "max-items-lowered")
        case .uniqueItems: compareUniqueness(pair)
        case .prefixItems: comparePrefix(pair)
        case .items:
            compareRest(
                pair, own: keyword, unevaluated: .unevaluatedItems, closed: "array-closed", opened: "array-opened",
                restricted: "items-restricted", freed: "items-freed", what: "additional elements")
        case .contains: compareContains(pair)
        case .anyOf: compareAnyOf(pair)
        case .oneOf: compareAlternatives(pair)
        case .not: compareRefused(pair)
        case .if, .then, .else: compareCondition(pair, keyword)
        case .ref: compareReferences(pair)
        // Compared together with `enum`, `properties`, `contains`, the limits and the references.
        case .const, .required, .unevaluatedProperties, .unevaluatedItems, .minContains, .maxContains,
            .exclusiveMinimum, .exclusiveMaximum, .dynamicRef:
            break
        // The parts that every value must satisfy are compared together.
        case .allOf: break
        case .contentEncoding, .contentMediaType, .contentSchema: compareContent(keyword, pair)
        case .schema, .comment, .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
            compareDocumentation(keyword.rawValue, pair)
        // Keywords about the file itself, or schemas that apply where they are referenced.
        case .id, .defs, .anchor, .dynamicAnchor, .vocabulary: break
        }
    }

    /// Adds a change.
    ///
    ///   - danger: A neighboring keyword that may make old events invalid in spite of the rule; nil if there is none.
    mutating func add(
        _ rule: String, keyword: SchemaKeyword, old: (any WrittenPart)?, new: (any WrittenPart)?,
        path: [String], explanation: String, danger: String? = nil
    ) {
        add(rule, keyword: keyword.rawValue, old: old, new: new, path: path, explanation: explanation, danger: danger)
    }

    /// Adds a change of a member that is not a keyword.
    mutating func add(
        _ rule: String, keyword name: String, old: (any WrittenPart)?, new: (any WrittenPart)?, path: [String],
        explanation: String, danger: String? = nil
    ) {
        guard let rule = ChangeRules.rule(rule) else { return }
        let danger = rule.bump < .model ? danger : nil
        changes.append(
            SchemaChange(
                rule: rule, old: old.map { Self.written($0, oldLibrary) },
                new: new.map { Self.written($0, newLibrary) },
                path: path, keyword: name, explanation: explanation + (danger.map { ", together with \($0)" } ?? ""),
                needed: danger == nil ? rule.bump : .model))
    }

    private static func written(_ part: some WrittenPart, _ library: SchemaLibrary) -> ChangeLocation {
        let (file, line) = library.file(of: part)
        return ChangeLocation(file: file, line: line, pointer: part.pointer)
    }

    /// Returns a schema value for a message, shortened and on one line.
    static func short(_ part: (any WrittenPart)?) -> String {
        guard let part else { return "none" }
        let written = ExactJSON(validating: part.value)?.written() ?? String(decoding: part.value.source, as: UTF8.self)
        return written.count > 60 ? written.prefix(57) + "…" : written
    }

    /// Returns whether two values are equal, or have the same text.
    static func areEqual(_ left: (any WrittenPart)?, _ right: (any WrittenPart)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        // A value that cannot be compared exactly is compared byte by byte.
        if let mine = ExactJSON(validating: left.value), let theirs = ExactJSON(validating: right.value) {
            return mine == theirs
        }
        return left.value.source.elementsEqual(right.value.source)
    }

    /// Returns whether two schemas are equivalent after resolving references.
    func areEquivalent(_ old: Subschema, _ new: Subschema) -> Bool { likeness.areEquivalent(old, new) }

    /// Returns whether two dynamic or unresolved references have the same target.
    func haveSameTarget(_ old: SchemaPart?, _ new: SchemaPart?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return likeness.haveSameTarget(old, new)
    }
}
