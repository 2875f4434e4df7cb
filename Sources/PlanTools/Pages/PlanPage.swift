package import TrackingPlan

/// The documentation of a plan: what analysts and developers read. The same plan gives the same bytes.
package enum PlanPage {
    /// Every page with its place in the folder of the schemas, the pages of the rules included.
    package static func files(of plan: EventPlan) -> [PlanFile] {
        let content = PageContent(plan)
        return [
            ("README.md", MarkdownPage(content).text), ("index.html", HTMLPage(content).text),
            ("RULES.md", LintRulePage.markdown), ("VERSIONS.md", ChangeRulePage.markdown),
        ].map { PlanFile(path: $0.0, bytes: Array($0.1.utf8)) }
    }

    /// Whether a file says that it was written from schemas.
    package static func isWritten(_ file: PlanFile) -> Bool {
        String(decoding: file.bytes.prefix(2048), as: UTF8.self).contains("trackctl schema docs")
    }

    /// One page in Markdown, as forges show it beside the folder's files.
    package static func markdown(_ plan: EventPlan) -> String { MarkdownPage(PageContent(plan)).text }

    /// One page in HTML that needs nothing else, not even a network.
    package static func html(_ plan: EventPlan) -> String { HTMLPage(PageContent(plan)).text }
}
