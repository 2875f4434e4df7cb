import PlanLint

/// The findings of the linter in a part of a plan.
enum LintCase {
    /// The rules and locations of all findings, without their common prefix.
    static func findings(_ example: LintExample) -> [String] {
        PlanLinter.findings(in: example.folder).map {
            let location = "/properties/value"
            let pointer = $0.pointer.hasPrefix(location) ? String($0.pointer.dropFirst(location.count)) : $0.pointer
            return "\($0.rule) \(pointer)"
        }
    }
}
