internal import JSONSchema

extension ChangeFinder {
    mutating func compareNames(_ pair: SchemaPair) {
        let keyword = SchemaKeyword.propertyNames
        switch (pair.old.schema(in: keyword), pair.new.schema(in: keyword)) {
        case (nil, let new?):
            add(
                "property-names-restricted", keyword: keyword, old: nil, new: new, path: pair.path,
                explanation: "propertyNames was added")
        case (let old?, nil):
            add(
                "property-names-freed", keyword: keyword, old: old, new: nil, path: pair.path,
                explanation: "propertyNames was removed")
        case (let old?, let new?): compare(old, new, at: pair.path)
        case (nil, nil): break
        }
    }

    mutating func compareProperties(_ pair: SchemaPair) {
        let old = Self.byName(pair.old, .properties)
        let new = Self.byName(pair.new, .properties)
        let before = Self.required(pair.old)
        let after = Self.required(pair.new)
        let isOldClosed = Self.isClosed(pair.old)
        let others = Self.others(pair)
        let isNewClosed = Self.isClosed(pair.new)
        var settled: Set<String> = []
        for (name, location) in pair.new.named(in: .properties) {
            let path = pair.path + [name]
            if let previous = old[ExactText(name)] {
                compare(previous, location, at: path)
            } else if isOldClosed {
                settled.insert(name)
                let isRequired = after.contains(name)
                add(
                    isRequired ? "property-added-required" : "property-added",
                    keyword: isRequired ? .required : .properties,
                    old: nil, new: location, path: path,
                    explanation: "\(name) was added" + (isRequired ? " and is required" : ""),
                    danger: others.old
                )
            } else {
                add(
                    "property-described", keyword: .properties, old: nil, new: location, path: path,
                    explanation: "\(name) is now described")
            }
        }
        for (name, location) in pair.old.named(in: .properties) where new[ExactText(name)] == nil {
            let path = pair.path + [name]
            if isNewClosed {
                settled.insert(name)
                add(
                    "property-removed", keyword: .additionalProperties, old: location, new: pair.new.schema, path: path,
                    explanation: "\(name) was removed")
            } else {
                add(
                    "property-undescribed", keyword: .properties, old: location, new: nil, path: path,
                    explanation: "\(name) is no longer described",
                    danger: others.new)
            }
        }
        for name in after.subtracting(before).subtracting(settled).sorted() {
            add(
                "required-added", keyword: .required, old: pair.old[.required], new: pair.new[.required],
                path: pair.path + [name],
                explanation: "\(name) is now required")
        }
        for name in before.subtracting(after).subtracting(settled).sorted() {
            add(
                "required-removed", keyword: .required, old: pair.old[.required],
                new: pair.new[.required] ?? pair.new.schema,
                path: pair.path + [name], explanation: "\(name) is no longer required")
        }
    }

    private static func byName(_ view: SchemaView, _ keyword: SchemaKeyword) -> [ExactText: Subschema] {
        Dictionary(view.named(in: keyword).map { (ExactText($0.name), $0.schema) }) { first, _ in first }
    }

    private static func required(_ view: SchemaView) -> Set<String> {
        Set(view[.required]?.value.elements.compactMap(\.string) ?? [])
    }

    private static func isClosed(_ view: SchemaView) -> Bool {
        (view[.additionalProperties] ?? view[.unevaluatedProperties])?.value.boolean == false
    }

    /// Returns the keyword that may accept an undescribed member of a closed object before the change, and the keyword
    /// that may apply to it after the change.
    private static func others(_ pair: SchemaPair) -> (old: String?, new: String?) {
        var danger: (old: String?, new: String?) = (nil, pair.watch)
        if !pair.old.named(in: .patternProperties).isEmpty {
            danger.old = SchemaKeyword.patternProperties.rawValue
        } else if pair.old[.additionalProperties] == nil, pair.old.hasApplicators {
            danger.old = "schemas that unevaluatedProperties depends on"
        }
        if let rest = pair.new[.additionalProperties], rest.value.boolean != true {
            danger.new = SchemaKeyword.additionalProperties.rawValue
        }
        return danger
    }

    /// Compares schemas by name.
    ///
    /// - Parameter deeper: Whether the schemas apply to members, not to the value itself.
    mutating func compareMap(
        _ pair: SchemaPair, _ keyword: SchemaKeyword, added: String, removed: String, deeper: Bool
    ) {
        let old = Self.byName(pair.old, keyword)
        let new = Self.byName(pair.new, keyword)
        for (name, location) in pair.new.named(in: keyword) {
            if let previous = old[ExactText(name)] {
                compare(
                    previous, location, at: deeper ? pair.path + ["*"] : pair.path, isWatched: !deeper && pair.isWatched
                )
            } else {
                add(
                    added, keyword: keyword, old: nil, new: location, path: pair.path,
                    explanation: "\(keyword) for \(name) was added")
            }
        }
        for (name, location) in pair.old.named(in: keyword) where new[ExactText(name)] == nil {
            add(
                removed, keyword: keyword, old: location, new: pair.new[keyword] ?? pair.new.schema, path: pair.path,
                explanation: "\(keyword) for \(name) was removed",
                danger: deeper ? nil : pair.watch)
        }
    }

    mutating func compareDependentRequired(_ pair: SchemaPair) {
        let keyword = SchemaKeyword.dependentRequired
        let old = pair.old[keyword]
        let new = pair.new[keyword]
        let names =
            (new?.value.members.map(\.name) ?? []) + (old?.value.members.map(\.name) ?? []).filter { new?[$0] == nil }
        for name in names {
            let before = Set(old?[name]?.value.elements.compactMap(\.string) ?? [])
            let after = Set(new?[name]?.value.elements.compactMap(\.string) ?? [])
            for other in after.subtracting(before).sorted() {
                add(
                    "dependency-added", keyword: keyword, old: old?[name], new: new?[name], path: pair.path,
                    explanation: "\(name) now requires \(other)")
            }
            for other in before.subtracting(after).sorted() {
                add(
                    "dependency-removed", keyword: keyword, old: old?[name], new: new?[name] ?? pair.new.schema,
                    path: pair.path,
                    explanation: "\(name) no longer requires \(other)")
            }
        }
    }
}

extension ChangeFinder {
    /// Compares the schemas of the remaining members or elements.
    ///
    /// - Parameters:
    ///   - own: The keyword for members or elements that no sibling keyword describes. It leaves nothing unevaluated.
    ///   - unevaluated: The keyword that also takes schemas applied in place into account.
    mutating func compareRest(
        _ pair: SchemaPair, own: SchemaKeyword, unevaluated: SchemaKeyword, closed: String, opened: String,
        restricted: String,
        freed: String, what: String
    ) {
        func rest(_ view: SchemaView) -> (keyword: SchemaKeyword, schema: Subschema)? {
            let keyword = view[own] == nil ? unevaluated : own
            return view.schema(in: keyword).flatMap { $0.value.boolean == true ? nil : (keyword, $0) }
        }
        let old = rest(pair.old)
        let new = rest(pair.new)
        let wasClosed = old?.schema.value.boolean == false
        let isClosed = new?.schema.value.boolean == false
        // The old keyword ignored members that other schemas evaluated.
        let isAboutMore = old?.keyword == unevaluated && new?.keyword == own && pair.old.hasApplicators
        guard old != nil || new != nil, !(wasClosed && isClosed) || isAboutMore else { return }
        let keyword = (new ?? old)?.keyword ?? own
        if isClosed {
            add(
                closed, keyword: keyword, old: old?.schema, new: new?.schema, path: pair.path,
                explanation: "\(what) are rejected")
        } else if wasClosed {
            add(
                opened, keyword: keyword, old: old?.schema, new: new?.schema ?? pair.new.schema, path: pair.path,
                explanation: "\(what) are accepted",
                danger: isAboutMore ? "schemas that \(unevaluated) depends on" : pair.watchAround)
        } else if let old, let new, !isAboutMore {
            compare(old.schema, new.schema, at: pair.path + ["*"])
        } else if new != nil {
            add(
                restricted, keyword: keyword, old: old?.schema, new: new?.schema, path: pair.path,
                explanation: "\(what) must satisfy \(Self.short(new?.schema))")
        } else {
            add(
                freed, keyword: keyword, old: old?.schema, new: pair.new.schema, path: pair.path,
                explanation: "\(what) may have any form",
                danger: pair.watchAround)
        }
    }
}
