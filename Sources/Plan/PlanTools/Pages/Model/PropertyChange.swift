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
        compare("pattern", old.pattern.map { [$0] } ?? [], new.pattern.map { [$0] } ?? [])
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
