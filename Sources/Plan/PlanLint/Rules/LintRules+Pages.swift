internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let pageList = LintRule(
        "page-list", "pages.json lists the app's pages, each with a description",
        why:
            "The Swift enum, the documentation and the check of every page view are generated from this list. "
            + "They omit entries that don't have this form.",
        examples: .pages
    ) { plan in
        guard let file = plan.folder.file(PlannedPages.path) else { return [] }
        do throws(JSONTextError) {
            return PlannedPages.read(try JSONDocument(file.bytes)).issues.map(issue)
        } catch {
            return [LintIssue(file.path, offset: error.offset, "not JSON: \(error.reason)")]
        }
    }

    static let pageNames = LintRule(
        "page-names", "Each page has a unique name in Swift",
        why:
            "A page becomes an enum case, named like the page in camel case. For names that collide or are "
            + "reserved in Swift, set another name with x-swift-name.",
        examples: .pages
    ) { plan in
        guard let document = document(plan), PlannedPages.read(document).issues.isEmpty else { return [] }
        return PlannedPages.swiftIssues(document).map(issue)
    }

    static let pageNotInPlan = LintRule(
        "page-not-in-plan", "Each page-view in an example names a listed page and carries what the page requires",
        why:
            "A page that is not listed is misspelled or was forgotten, and its views are counted separately. "
            + "trackctl validate reports the same in logs, and the recorder in tests.",
        examples: .pageView
    ) { plan in
        guard let document = document(plan), PlannedPages.read(document).issues.isEmpty else { return [] }
        let pages = PlannedPages.read(document).pages
        let views = plan.documents.filter { $0.identity?.name == PlannedPages.eventName && !$0.isContainer }
        let examples = views.flatMap { view -> [LintIssue] in
            guard let root = view.root else { return [] }
            return (root[.examples]?.elements ?? []).enumerated().compactMap { index, example in
                pages.finding(example).map { finding in
                    let way = LintIssue.tokens(finding.instancePath).dropFirst()
                    return LintIssue(
                        root, at: .examples, then: ["\(index)"] + way, "correct the example: \(finding.message)")
                }
            }
        }
        return LineExamples(plan).pageIssues + examples
    }

    private static func document(_ plan: LintPlan) -> JSONDocument? {
        // Ignore the error: `page-list` reports it.
        plan.folder.file(PlannedPages.path).flatMap { JSONDocument(validating: $0.bytes) }
    }

    private static func issue(_ issue: PlannedPagesIssue) -> LintIssue {
        LintIssue(PlannedPages.path, offset: issue.offset, pointer: issue.pointer, issue.message)
    }
}
