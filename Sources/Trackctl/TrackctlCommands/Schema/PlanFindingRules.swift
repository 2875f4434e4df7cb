internal import PlanDiff
internal import PlanLint

extension SARIFLog.Rule {
    /// The rules of `trackctl schema lint`.
    static let lint = LintRule.all.map { SARIFLog.Rule(id: $0.id, summary: $0.title, help: $0.why) }

    /// The rules of `trackctl schema diff`.
    static let diff = DiffFinding.Kind.allCases.map { kind in
        let (summary, help) =
            switch kind {
            case .publishedChanged:
                (
                    "A published version changed.",
                    "Restore the file, and write the change as a new version next to it."
                )
            case .publishedRemoved:
                ("A published version is missing.", "Restore the file: logs still hold its events.")
            case .versionTooSmall:
                (
                    "A version's number is too small for its changes.",
                    "Rename the file to the proposed version."
                )
            case .pageChanged:
                (
                    "A page was removed, or no longer matches old lines.",
                    "Restore the page, or add a page with another name."
                )
            }
        return SARIFLog.Rule(id: kind.rawValue, summary: summary, help: help)
    }

    /// The rules of `trackctl schema lock --check`.
    static let lock = LockRule.allCases.map { SARIFLog.Rule(id: $0.rawValue, summary: $0.summary, help: $0.help) }
}

/// The rules of `trackctl schema lock`.
enum LockRule: String, CaseIterable {
    case changed = "locked-changed"
    case missing = "locked-missing"
    case unlocked = "not-locked"
    case pageChanged = "locked-page-changed"
    case pageUnlocked = "page-not-locked"

    init(_ kind: PlanLockDifference.Kind) {
        switch kind {
        case .changed: self = .changed
        case .missing: self = .missing
        case .unlocked: self = .unlocked
        }
    }

    /// What is found.
    var summary: String {
        switch self {
        case .changed: "A locked schema changed."
        case .missing: "A locked schema is missing."
        case .unlocked: "A schema is not locked."
        case .pageChanged: "A locked page is missing, or no longer matches old lines."
        case .pageUnlocked: "A page is not locked."
        }
    }

    /// What to do.
    var help: String {
        switch self {
        case .changed: "Restore the file, and write the change as a new version next to it."
        case .missing: "Restore the file: logs still hold its events."
        case .unlocked, .pageUnlocked: "Run trackctl schema lock and commit the lock file."
        case .pageChanged: "Restore the page, or add a page with another name."
        }
    }
}
