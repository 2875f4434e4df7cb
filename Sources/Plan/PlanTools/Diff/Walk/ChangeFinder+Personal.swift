internal import JSONSchema

extension ChangeFinder {
    /// Compares how much of each value is kept away, whichever schemas say so.
    mutating func comparePersonal(_ old: SchemaPlace, _ new: SchemaPlace) {
        let (before, after) = (SchemaReach(from: old, in: oldLibrary), SchemaReach(from: new, in: newLibrary))
        guard Self.hasMarks(before) || Self.hasMarks(after) else { return }
        let names = NamePatterns()
        let comparison = PersonalComparison(
            AppliedSchemas([old], reach: before, names: names), AppliedSchemas([new], reach: after, names: names))
        for found in comparison.findings {
            let (before, after) = (PersonalProtection(found.old), PersonalProtection(found.new))
            let rule =
                before == .none
                ? "personal-marked"
                : after == .none ? "personal-unmarked" : before < after ? "personal-tightened" : "personal-loosened"
            add(
                rule, "x-pii", found.old, found.new ?? found.place, found.path,
                "x-pii \(Self.short(found.old)) became \(Self.short(found.new))")
        }
        if !comparison.isComplete {
            add(
                "personal-unmarked", "x-pii", old, new, [],
                "too many schemas come together to tell which values are personal")
        }
    }

    private static func hasMarks(_ reach: SchemaReach) -> Bool { !reach.all { $0 == "x-pii" }.isEmpty }
}
