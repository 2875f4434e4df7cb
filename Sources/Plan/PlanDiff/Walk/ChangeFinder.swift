internal import JSONSchema

/// Walks through two schemas side by side and lists what changed, by the table of rules.
struct ChangeFinder {
    let oldLibrary: SchemaLibrary
    let newLibrary: SchemaLibrary
    private(set) var changes: [SchemaChange] = []
    /// The pairs that are being compared: schemas that refer to themselves come to an end.
    private var open: Set<PairKey> = []
    /// The pairs that were compared, and the changes found there.
    private var done: [PairKey: (depth: Int, changes: Range<Int>)] = [:]
    private let likeness: SchemaLikeness

    /// Past so many changes none is listed again for each place that refers to the same schema.
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
        likeness = SchemaLikeness(
            SchemaReach(from: old, in: oldLibrary), SchemaReach(from: new, in: newLibrary))
    }

    /// The changes from one schema to another, in the order of the new one's keywords.
    static func changes(
        from old: Subschema, in oldLibrary: SchemaLibrary, to new: Subschema, in newLibrary: SchemaLibrary
    ) -> [SchemaChange] {
        var finder = ChangeFinder(from: old, in: oldLibrary, to: new, in: newLibrary)
        finder.compare(old, new, at: [])
        finder.comparePersonal(old, new)
        return finder.changes
    }

    /// Compares two schemas that are applied to the same value. A pair that was compared before is not walked again.
    ///
    /// - Parameter isWatched: Whether a schema around it asks which members or elements it evaluates.
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
                isForbidden ? "value-forbidden" : "value-allowed", "false", pair.old.schema, pair.new.schema, pair.path,
                isForbidden ? "no value is taken any more" : "values are taken")
            return
        }
        for keyword in Self.inOrder { compare(keyword, pair) }
        compareParts(pair, pair.old.parts, pair.new.parts, .allOf, added: "all-of-added", removed: "all-of-removed")
        for keyword in Self.combining { compare(keyword, pair) }
        compareNotes(pair)
    }

    /// The keywords that reject values, in the order in which their changes are listed: what is not named here comes last.
    private static let inOrder: [SchemaKeyword] = {
        let first: [SchemaKeyword] = [
            .type, .enum, .properties, .additionalProperties, .minProperties, .maxProperties, .patternProperties,
            .dependentSchemas, .dependentRequired, .propertyNames, .minimum, .maximum, .multipleOf, .minLength,
            .maxLength, .pattern, .format, .minItems, .maxItems, .uniqueItems, .prefixItems, .items, .contains,
        ]
        let others = SchemaKeyword.allCases.filter { !first.contains($0) && !combining.contains($0) }
        return first + others.filter(\.rejectsValues)
    }()

    /// The last of them, after the parts that every value must meet.
    private static let combining: [SchemaKeyword] = [.anyOf, .oneOf, .not, .if, .then, .else, .ref]

    /// Compares what two schemas say with a keyword. Without `default`: a new keyword needs its rule.
    mutating func compare(_ keyword: SchemaKeyword, _ pair: SchemaPair) {
        switch keyword {
        case .type: compareTypes(pair)
        case .enum: compareValues(pair)
        case .properties: compareProperties(pair)
        case .additionalProperties:
            compareRest(
                pair, keyword, .unevaluatedProperties, closed: "object-closed", opened: "object-opened",
                restricted: "additional-restricted", freed: "additional-freed", what: "further members")
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
            compareBound(pair, keyword, .exclusiveMinimum, raised: "minimum-raised", lowered: "minimum-lowered") {
                $0 > $1
            }
        case .maximum:
            compareBound(pair, keyword, .exclusiveMaximum, raised: "maximum-lowered", lowered: "maximum-raised") {
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
                pair, keyword, .unevaluatedItems, closed: "array-closed", opened: "array-opened",
                restricted: "items-restricted", freed: "items-freed", what: "further elements")
        case .contains: compareContains(pair)
        case .anyOf: compareAnyOf(pair)
        case .oneOf: compareAlternatives(pair)
        case .not: compareRefused(pair)
        case .if, .then, .else: compareCondition(pair, keyword)
        case .ref: compareReferences(pair)
        // Compared with `enum`, `properties`, `contains`, the limits and the references that they belong to.
        case .const, .required, .unevaluatedProperties, .unevaluatedItems, .minContains, .maxContains,
            .exclusiveMinimum, .exclusiveMaximum, .dynamicRef:
            break
        // The parts that every value must meet are compared together, wherever they are written.
        case .allOf: break
        case .contentEncoding, .contentMediaType, .contentSchema: compareContent(keyword, pair)
        case .schema, .comment, .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
            compareWords(keyword.rawValue, pair)
        // About the version's own file, or schemas that count where they are referred to.
        case .id, .defs, .anchor, .dynamicAnchor, .vocabulary: break
        }
    }

    /// Notes a change.
    ///
    /// - Parameter danger: What stands beside it and may make old events invalid, whatever the rule says; nil for
    ///   nothing.
    mutating func add(
        _ rule: String, _ keyword: SchemaKeyword, _ old: (any WrittenPart)?, _ new: (any WrittenPart)?,
        _ path: [String], _ explanation: String, danger: String? = nil
    ) {
        add(rule, keyword.rawValue, old, new, path, explanation, danger: danger)
    }

    /// The same for a member that is no keyword.
    mutating func add(
        _ rule: String, _ name: String, _ old: (any WrittenPart)?, _ new: (any WrittenPart)?, _ path: [String],
        _ explanation: String, danger: String? = nil
    ) {
        guard let rule = ChangeRules.rule(rule) else { return }
        let danger = rule.bump < .model ? danger : nil
        changes.append(
            SchemaChange(
                rule: rule, old: old.map { Self.written($0, oldLibrary) },
                new: new.map { Self.written($0, newLibrary) },
                path: path, keyword: name, explanation: explanation + (danger.map { ", beside \($0)" } ?? ""),
                needed: danger == nil ? rule.bump : .model))
    }

    private static func written(_ part: some WrittenPart, _ library: SchemaLibrary) -> ChangeLocation {
        let (file, line) = library.file(of: part)
        return ChangeLocation(file: file, line: line, pointer: part.pointer)
    }

    /// A value of a schema in a message: in one line, and not too long.
    static func short(_ part: (any WrittenPart)?) -> String {
        guard let part else { return "none" }
        let written = (try? ExactJSON(part.value))?.written() ?? String(decoding: part.value.source, as: UTF8.self)
        return written.count > 60 ? written.prefix(57) + "…" : written
    }

    /// Whether two say the same, as values or as written.
    static func areEqual(_ left: (any WrittenPart)?, _ right: (any WrittenPart)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        // A value that cannot be taken out is compared byte by byte.
        if let mine = try? ExactJSON(left.value), let theirs = try? ExactJSON(right.value) { return mine == theirs }
        return left.value.source.elementsEqual(right.value.source)
    }

    /// Whether two schemas say the same when their references are followed.
    func saySame(_ old: Subschema, _ new: Subschema) -> Bool { likeness.saySame(old, new) }

    /// Whether two references that hang on where the schemas are used lead to the same.
    func leadSame(_ old: SchemaPart?, _ new: SchemaPart?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return likeness.leadSame(old, new)
    }
}
