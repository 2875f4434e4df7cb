import PlanLint

/// What the linter finds in a piece of a plan.
enum LintCase {
    /// The rules and places of all findings, without what every place here begins with.
    static func findings(_ example: LintExample) -> [String] {
        PlanLinter.findings(in: example.folder).map {
            let place = "/properties/value"
            let pointer = $0.pointer.hasPrefix(place) ? String($0.pointer.dropFirst(place.count)) : $0.pointer
            return "\($0.rule) \(pointer)"
        }
    }
}
