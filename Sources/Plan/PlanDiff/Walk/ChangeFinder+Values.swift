internal import JSONSchema
internal import Primitives

extension ChangeFinder {
    mutating func compareTypes(_ pair: SchemaPair) {
        let old = pair.old[.type]
        let new = pair.new[.type]
        let before = Self.types(old)
        let after = Self.types(new)
        guard before != after else { return }
        let rule =
            before.isSubset(of: after) ? "type-widened" : after.isSubset(of: before) ? "type-narrowed" : "type-changed"
        add(
            rule, keyword: .type, old: old ?? pair.old.schema, new: new ?? pair.new.schema, path: pair.path,
            explanation: "type changed from \(Self.short(old)) to \(Self.short(new))")
    }

    /// Returns the types. `number` includes `integer`.
    private static func types(_ location: SchemaPart?) -> Set<String> {
        guard let location else { return ["null", "boolean", "number", "integer", "string", "array", "object"] }
        var types = Set([location.value.string].compactMap { $0 } + location.value.elements.compactMap(\.string))
        if types.contains("number") { types.insert("integer") }
        return types
    }

    mutating func compareValues(_ pair: SchemaPair) {
        let old = Self.list(pair.old)
        let new = Self.list(pair.new)
        guard let old, let new else {
            if let new {
                add(
                    "enum-introduced", keyword: new.keyword, old: nil, new: new.location, path: pair.path,
                    explanation: "\(new.keyword) \(Self.short(new.location)) was added")
            }
            if let old {
                add(
                    "enum-dropped", keyword: old.keyword, old: old.location, new: nil, path: pair.path,
                    explanation: "\(old.keyword) \(Self.short(old.location)) was removed")
            }
            return
        }
        let before = Set(old.values.map(Self.listed))
        let after = Set(new.values.map(Self.listed))
        for value in old.values where !after.contains(Self.listed(value)) {
            add(
                "enum-value-removed", keyword: new.keyword, old: value, new: new.location, path: pair.path,
                explanation: "the value \(Self.short(value)) was removed")
        }
        for value in new.values where !before.contains(Self.listed(value)) {
            add(
                "enum-value-added", keyword: old.keyword, old: old.location, new: value, path: pair.path,
                explanation: "the value \(Self.short(value)) was added"
            )
        }
    }

    /// Returns the values for comparison. A value that cannot be compared exactly is compared byte by byte.
    private static func listed(_ location: SchemaPart) -> [ExactJSON] {
        if let value = ExactJSON(validating: location.value) { return [value] }
        return [.null, .string(ExactText(String(decoding: location.value.source, as: UTF8.self)))]
    }

    /// Returns the accepted values; `const` is a list of one value.
    private static func list(_ view: SchemaView) -> (
        keyword: SchemaKeyword, location: SchemaPart, values: [SchemaPart]
    )? {
        if let location = view[.const] { return (.const, location, [location]) }
        return view[.enum].map { (.enum, $0, $0.elements) }
    }

    mutating func compareSteps(_ pair: SchemaPair) {
        let old = pair.old[.multipleOf]
        let new = pair.new[.multipleOf]
        guard !Self.areEqual(old, new) else { return }
        let before = Self.number(old)?.units ?? 0
        let after = Self.number(new)?.units ?? 0
        let rule: String
        if old == nil || (before != 0 && after != 0 && after % before == 0) {
            rule = "multiple-narrowed"
        } else if new == nil || (before != 0 && after != 0 && before % after == 0) {
            rule = "multiple-widened"
        } else {
            rule = "multiple-changed"
        }
        add(
            rule, keyword: .multipleOf, old: old, new: new, path: pair.path,
            explanation: "multipleOf changed from \(Self.short(old)) to \(Self.short(new))")
    }

    private static func number(_ location: SchemaPart?) -> ScaledDecimal? {
        location?.value.number.flatMap { ScaledDecimal($0) }
    }

    /// Compares the tighter of two bounds. `raised` is the rule for a tighter bound, `lowered` for a looser one.
    mutating func compareBound(
        _ pair: SchemaPair, inclusive: SchemaKeyword, exclusive: SchemaKeyword, raised: String, lowered: String,
        _ isTighter: (ScaledDecimal, ScaledDecimal) -> Bool
    ) {
        func bound(_ view: SchemaView) -> (keyword: SchemaKeyword, location: SchemaPart)? {
            guard let open = view[exclusive] else { return view[inclusive].map { (inclusive, $0) } }
            guard let closed = view[inclusive], let left = Self.number(closed), let right = Self.number(open) else {
                return (exclusive, open)
            }
            return isTighter(left, right) ? (inclusive, closed) : (exclusive, open)
        }
        let old = bound(pair.old)
        let new = bound(pair.new)
        guard old?.keyword != new?.keyword || !Self.areEqual(old?.location, new?.location) else { return }
        let isRelaxed: Bool
        if let old, let new {
            if let before = Self.number(old.location), let after = Self.number(new.location) {
                isRelaxed = before == after ? new.keyword == inclusive : isTighter(before, after)
            } else {
                isRelaxed = false
            }
        } else {
            isRelaxed = new == nil
        }
        let before = old.map { "\($0.keyword) \(Self.short($0.location))" }
        let after = new.map { "\($0.keyword) \(Self.short($0.location))" }
        let explanation =
            if let old, let new, old.keyword == new.keyword {
                "\(new.keyword) changed from \(Self.short(old.location)) to \(Self.short(new.location))"
            } else if let before, let after {
                "\(before) changed to \(after)"
            } else {
                after.map { "\($0) was added" } ?? "\(before ?? inclusive.rawValue) was removed"
            }
        add(
            isRelaxed ? lowered : raised, keyword: (new ?? old)?.keyword ?? inclusive, old: old?.location,
            new: new?.location, path: pair.path,
            explanation: explanation)
    }

    /// Compares a limit that counts. `raised` is the rule for a larger limit, `lowered` for a smaller one.
    mutating func compareCount(_ pair: SchemaPair, _ keyword: SchemaKeyword, raised: String, lowered: String) {
        let isLowest = [SchemaKeyword.minLength, .minItems, .minProperties].contains(keyword)
        let absent = isLowest ? 0 : Int.max
        let old = pair.old[keyword]
        let new = pair.new[keyword]
        // A number that does not fit exceeds any count.
        let before = old.map { $0.value.integer ?? .max } ?? absent
        let after = new.map { $0.value.integer ?? .max } ?? absent
        guard before != after else { return }
        add(
            before < after ? raised : lowered, keyword: keyword, old: old, new: new, path: pair.path,
            explanation: "\(keyword) changed from \(Self.short(old)) to \(Self.short(new))")
    }

    /// Compares a keyword that was added, removed or changed.
    mutating func compareText(_ pair: SchemaPair, _ keyword: SchemaKeyword) {
        let old = pair.old[keyword]
        let new = pair.new[keyword]
        guard !Self.areEqual(old, new) else { return }
        let rule = old == nil ? "added" : new == nil ? "removed" : "changed"
        add(
            "\(keyword)-\(rule)", keyword: keyword, old: old, new: new, path: pair.path,
            explanation: old == nil
                ? "\(keyword) \(Self.short(new)) was added"
                : new == nil
                    ? "\(keyword) \(Self.short(old)) was removed"
                    : "\(keyword) changed from \(Self.short(old)) to \(Self.short(new))")
    }
}
