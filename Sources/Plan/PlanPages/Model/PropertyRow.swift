internal import JSONSchema
internal import TrackingPlan

/// What a page says about one property.
struct PropertyRow: Equatable {
    /// The way to it: `value.query`, `value.pages[].title`; `[0]` is the first element of an array, `*` stands for the
    /// members that are not named, `/^x/` for those whose names match a pattern.
    let path: String
    /// The way to what it stands in; nil for the outermost.
    let parent: String?
    /// What it takes, in words: `string`, `array of strings`, `uuid`.
    let type: String
    /// Whether the object around it requires it; nil for elements of an array, and for members without a name.
    let isRequired: Bool?
    /// What limits it, each in a few words: `1 to 64 characters`.
    let limits: [String]
    /// The pattern that it must match.
    let pattern: String?
    /// The only values that it takes, as JSON.
    let allowed: [String]
    /// What it means.
    let description: String
    /// Why it takes anything, if it does.
    let openReason: String?
    /// Whether it is personal; nil where the schema does not say so.
    let personal: PersonalData?

    /// Whether there is more to say than a type.
    var saysMoreThanType: Bool {
        !limits.isEmpty || pattern != nil || !allowed.isEmpty || !description.isEmpty || openReason != nil
            || personal?.label != nil
    }
}

extension PersonalData {
    /// What a page says of it; nil if it is not personal.
    var label: String? {
        switch self {
        case .none: nil
        case .kept: "personal"
        case .dropped: "personal, never stored"
        case .hashed: "personal, stored as a hash"
        case .truncated(let count): "personal, cut to \(count) character\(count == 1 ? "" : "s")"
        }
    }
}

/// What became of one property from one version to the next.
struct PropertyChange: Equatable {
    /// The way to it.
    let path: String
    /// What happened, in words: `new, optional`.
    let text: String
}

/// Compares the properties of two versions.
enum PropertyChanges {
    /// What differs, in the order of the newer version; what is gone comes last. What comes or goes with the object
    /// around it is not named, nor is what may only have come past the end of a list, or from there.
    static func between(_ older: PropertyTable.Rows, _ newer: PropertyTable.Rows) -> [PropertyChange] {
        let (old, new) = (older.rows, newer.rows)
        let before = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let (oldPaths, newPaths) = (Set(old.map(\.path)), Set(new.map(\.path)))
        let changed: [PropertyChange] = new.compactMap { row in
            guard let earlier = before[row.path] else {
                guard !older.isCut, row.parent.map(oldPaths.contains) ?? true else { return nil }
                let need = row.isRequired.map { $0 ? ", required" : ", optional" } ?? ""
                return PropertyChange(path: row.path, text: "new\(need)")
            }
            let words = words(from: earlier, to: row)
            return words.isEmpty ? nil : PropertyChange(path: row.path, text: words.joined(separator: "; "))
        }
        let gone = old.filter { row in
            !newer.isCut && !newPaths.contains(row.path) && row.parent.map(newPaths.contains) ?? true
        }
        return changed + gone.map { PropertyChange(path: $0.path, text: "gone") }
    }

    private static func words(from old: PropertyRow, to new: PropertyRow) -> [String] {
        var words: [String] = []
        func compare(_ what: String, _ before: [String], _ after: [String]) {
            guard before != after else { return }
            func list(_ values: [String]) -> String { values.isEmpty ? "none" : values.joined(separator: ", ") }
            words.append("\(what): \(list(after)) instead of \(list(before))")
        }
        if old.isRequired != new.isRequired { words.append(new.isRequired == true ? "now required" : "now optional") }
        compare("type", [old.type], [new.type])
        compare("limits", old.limits, new.limits)
        compare(SchemaKeyword.pattern.rawValue, old.pattern.map { [$0] } ?? [], new.pattern.map { [$0] } ?? [])
        let (added, removed) = (
            new.allowed.filter { !old.allowed.contains($0) }, old.allowed.filter { !new.allowed.contains($0) }
        )
        if old.allowed.isEmpty != new.allowed.isEmpty {
            words.append(new.allowed.isEmpty ? "takes other values too" : "takes only listed values")
        } else {
            if !added.isEmpty { words.append("takes also \(added.joined(separator: ", "))") }
            if !removed.isEmpty { words.append("takes no longer \(removed.joined(separator: ", "))") }
        }
        if old.personal?.label != new.personal?.label {
            words.append(new.personal?.label.map { "now \($0)" } ?? "no longer personal")
        }
        if (old.openReason == nil) != (new.openReason == nil) {
            words.append(new.openReason == nil ? "takes only what is described" : "takes anything")
        }
        if words.isEmpty, old.description != new.description { words.append("described anew") }
        return words
    }
}
