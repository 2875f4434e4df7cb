internal import JSONSchema

extension ChangeFinder {
    mutating func compareObjects(_ pair: SchemaPair) {
        compareProperties(pair)
        compareRest(
            pair, "additionalProperties", "unevaluatedProperties", closed: "object-closed", opened: "object-opened",
            restricted: "additional-restricted", freed: "additional-freed", what: "further members")
        compareCount(
            pair, "minProperties", absent: 0, raised: "min-properties-raised", lowered: "min-properties-lowered")
        compareCount(
            pair, "maxProperties", absent: .max, raised: "max-properties-raised", lowered: "max-properties-lowered")
        compareMap(
            pair, "patternProperties", added: "pattern-property-added", removed: "pattern-property-removed",
            deeper: true)
        compareMap(pair, "dependentSchemas", added: "dependency-added", removed: "dependency-removed", deeper: false)
        compareDependentRequired(pair)
        switch (pair.old["propertyNames"], pair.new["propertyNames"]) {
        case (nil, let new?):
            add("property-names-restricted", "propertyNames", nil, new, pair.path, "propertyNames was added")
        case (let old?, nil):
            add("property-names-freed", "propertyNames", old, nil, pair.path, "propertyNames was taken away")
        case (let old?, let new?): compare(old, new, at: pair.path)
        case (nil, nil): break
        }
    }

    private mutating func compareProperties(_ pair: SchemaPair) {
        let (old, new) = (pair.old["properties"], pair.new["properties"])
        let (before, after) = (Self.required(pair.old), Self.required(pair.new))
        let isOldClosed = Self.isClosed(pair.old)
        let others = Self.others(pair)
        let isNewClosed = Self.isClosed(pair.new)
        var settled: Set<String> = []
        for (name, place) in new?.members ?? [] {
            let path = pair.path + [name]
            if let previous = old?[name] {
                compare(previous, place, at: path)
            } else if isOldClosed {
                settled.insert(name)
                let isRequired = after.contains(name)
                add(
                    isRequired ? "property-added-required" : "property-added", isRequired ? "required" : "properties",
                    nil, place, path, "\(name) was added" + (isRequired ? " and must be there" : ""), danger: others.old
                )
            } else {
                add("property-described", "properties", nil, place, path, "\(name) is described now")
            }
        }
        for (name, place) in old?.members ?? [] where new?[name] == nil {
            let path = pair.path + [name]
            if isNewClosed {
                settled.insert(name)
                add("property-removed", "additionalProperties", place, pair.new.place, path, "\(name) was removed")
            } else {
                add(
                    "property-undescribed", "properties", place, nil, path, "\(name) is no longer described",
                    danger: others.new)
            }
        }
        for name in after.subtracting(before).subtracting(settled).sorted() {
            add(
                "required-added", "required", pair.old["required"], pair.new["required"], pair.path + [name],
                "\(name) must be there")
        }
        for name in before.subtracting(after).subtracting(settled).sorted() {
            add(
                "required-removed", "required", pair.old["required"], pair.new["required"] ?? pair.new.place,
                pair.path + [name], "\(name) need not be there")
        }
    }

    private static func required(_ view: SchemaView) -> Set<String> {
        Set(view["required"]?.value.elements.compactMap(\.string) ?? [])
    }

    private static func isClosed(_ view: SchemaView) -> Bool {
        (view["additionalProperties"] ?? view["unevaluatedProperties"])?.value.boolean == false
    }

    /// What takes members of a closed object that it does not describe by name, before; and what is asked of them after.
    private static func others(_ pair: SchemaPair) -> (old: String?, new: String?) {
        var danger: (old: String?, new: String?) = (nil, pair.watch)
        if !(pair.old["patternProperties"]?.members.isEmpty ?? true) {
            danger.old = "patternProperties"
        } else if pair.old["additionalProperties"] == nil, pair.old.hasApplicators {
            danger.old = "schemas that unevaluatedProperties asks"
        }
        if let rest = pair.new["additionalProperties"], rest.value.boolean != true {
            danger.new = "additionalProperties"
        }
        return danger
    }

    /// Compares schemas by name.
    ///
    /// - Parameter deeper: Whether they are about members, not about the value itself.
    private mutating func compareMap(
        _ pair: SchemaPair, _ keyword: String, added: String, removed: String, deeper: Bool
    ) {
        let (old, new) = (pair.old[keyword], pair.new[keyword])
        for (name, place) in new?.members ?? [] {
            if let previous = old?[name] {
                compare(
                    previous, place, at: deeper ? pair.path + ["*"] : pair.path, isWatched: !deeper && pair.isWatched)
            } else {
                add(added, keyword, nil, place, pair.path, "\(keyword) for \(name) was added")
            }
        }
        for (name, place) in old?.members ?? [] where new?[name] == nil {
            add(
                removed, keyword, place, new ?? pair.new.place, pair.path, "\(keyword) for \(name) was taken away",
                danger: deeper ? nil : pair.watch)
        }
    }

    private mutating func compareDependentRequired(_ pair: SchemaPair) {
        let keyword = "dependentRequired"
        let (old, new) = (pair.old[keyword], pair.new[keyword])
        let names = (new?.members.map(\.name) ?? []) + (old?.members.map(\.name) ?? []).filter { new?[$0] == nil }
        for name in names {
            let before = Set(old?[name]?.value.elements.compactMap(\.string) ?? [])
            let after = Set(new?[name]?.value.elements.compactMap(\.string) ?? [])
            for other in after.subtracting(before).sorted() {
                add("dependency-added", keyword, old?[name], new?[name], pair.path, "\(name) asks for \(other)")
            }
            for other in before.subtracting(after).sorted() {
                add(
                    "dependency-removed", keyword, old?[name], new?[name] ?? pair.new.place, pair.path,
                    "\(name) no longer asks for \(other)")
            }
        }
    }
}
