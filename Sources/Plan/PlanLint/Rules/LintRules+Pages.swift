internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let pageList = LintRule(
        "page-list", "pages.json lists the app's pages, each with a description",
        why:
            "The list is the only source of the pages: the enum in Swift, the documentation and the check of every page view "
            + "are made of it. What it doesn't say in this form, they would leave out.",
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
        "page-names", "Each page has a name of its own in Swift",
        why:
            "A page becomes a case of an enum, named like the page in camel case. Names that Swift can't tell apart, or that "
            + "mean something else there, get another one with x-swift-name.",
        examples: .pages
    ) { plan in
        guard let document = document(plan), PlannedPages.read(document).issues.isEmpty else { return [] }
        return PlannedPages.swiftIssues(document).map(issue)
    }

    static let pageNotInPlan = LintRule(
        "page-not-in-plan", "Each page-view in an example is on a page of the list, with what that page carries",
        why:
            "A page that the list doesn't have is misspelt, or was forgotten: its views would be counted apart. The same is "
            + "reported of logs by trackctl validate and of tests by the recorder.",
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
        return LineExamples(plan).pageFaults + examples
    }

    private static func document(_ plan: LintPlan) -> JSONDocument? {
        // Lost: why it isn't JSON. `page-list` says so.
        plan.folder.file(PlannedPages.path).flatMap { try? JSONDocument($0.bytes) }
    }

    private static func issue(_ issue: PlannedPagesIssue) -> LintIssue {
        LintIssue(PlannedPages.path, offset: issue.offset, pointer: issue.pointer, issue.message)
    }
}
