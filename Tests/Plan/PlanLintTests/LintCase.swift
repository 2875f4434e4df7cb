import PlanLint

/// What the linter finds in a piece of a plan.
enum LintCase {
    /// The rules and places of all findings, without what every place here begins with.
    static func findings(_ example: LintExample) -> [String] {
        PlanLinter.findings(in: example.folder).map {
            let location = "/properties/value"
            let pointer = $0.pointer.hasPrefix(location) ? String($0.pointer.dropFirst(location.count)) : $0.pointer
            return "\($0.rule) \(pointer)"
        }
    }
}
