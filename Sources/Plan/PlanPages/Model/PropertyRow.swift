internal import JSONSchema
internal import TrackingPlan

/// A row about one property in a page.
struct PropertyRow: Equatable {
    /// The path to it: `value.query`, `value.pages[].title`; `[0]` is the first element of an array, `*` stands for the
    /// unnamed members, `/^x/` for members whose names match a pattern.
    let path: String
    /// The path of its parent; nil for the root.
    let parent: String?
    /// The type, in words: `string`, `array of strings`, `uuid`.
    let type: String
    /// Whether its object requires it; nil for array elements and unnamed members.
    let isRequired: Bool?
    /// The limits, in short phrases: `1 to 64 characters`.
    let limits: [String]
    /// The pattern that it must match.
    let pattern: String?
    /// The only allowed values, as JSON.
    let allowed: [String]
    let description: String
    /// The reason why it is open, if it is.
    let openReason: String?
    /// Whether it is personal; nil if the schema doesn't state it.
    let personal: PersonalData?

    /// Whether the row has more than a type.
    var saysMoreThanType: Bool {
        !limits.isEmpty || pattern != nil || !allowed.isEmpty || !description.isEmpty || openReason != nil
            || personal?.label != nil
    }
}

extension PersonalData {
    /// The label in a page; nil if it is not personal.
    var label: String? {
        switch self {
        case .none: nil
        case .kept: "personal"
        case .dropped: "personal, never stored"
        case .hashed: "personal, stored as a hash"
        case .truncated(let count): "personal, truncated to \(count) character\(count == 1 ? "" : "s")"
        }
    }
}

/// The change of one property between two versions.
struct PropertyChange: Equatable {
    let path: String
    /// The change, in words: `new, optional`.
    let text: String
}

/// Compares the properties of two versions.
enum PropertyChanges {
    /// Returns the changes in the order of the newer version; removed properties come last. Properties that were added
    /// or removed with their object are omitted, as are those that may only have crossed the limit of a truncated list.
    static func between(_ older: PropertyTable.Rows, _ newer: PropertyTable.Rows) -> [PropertyChange] {
        let old = older.rows
        let new = newer.rows
        let before = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let oldPaths = Set(old.map(\.path))
        let newPaths = Set(new.map(\.path))
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
        func compare(_ what: String, before: [String], after: [String]) {
            guard before != after else { return }
            func list(_ values: [String]) -> String { values.isEmpty ? "none" : values.joined(separator: ", ") }
            words.append("\(what): \(list(after)) instead of \(list(before))")
        }
        if old.isRequired != new.isRequired { words.append(new.isRequired == true ? "now required" : "now optional") }
        compare("type", before: [old.type], after: [new.type])
        compare("limits", before: old.limits, after: new.limits)
        compare(
            SchemaKeyword.pattern.rawValue, before: old.pattern.map { [$0] } ?? [],
            after: new.pattern.map { [$0] } ?? [])
        let added = new.allowed.filter { !old.allowed.contains($0) }
        let removed = old.allowed.filter { !new.allowed.contains($0) }
        if old.allowed.isEmpty != new.allowed.isEmpty {
            words.append(new.allowed.isEmpty ? "accepts other values too" : "accepts only listed values")
        } else {
            if !added.isEmpty { words.append("now accepts \(added.joined(separator: ", "))") }
            if !removed.isEmpty { words.append("no longer accepts \(removed.joined(separator: ", "))") }
        }
        if old.personal?.label != new.personal?.label {
            words.append(new.personal?.label.map { "now \($0)" } ?? "no longer personal")
        }
        if (old.openReason == nil) != (new.openReason == nil) {
            words.append(new.openReason == nil ? "accepts only described members" : "accepts any members")
        }
        if words.isEmpty, old.description != new.description { words.append("new description") }
        return words
    }
}
