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

    /// Whether a file was written from schemas: its first line says so, or in HTML what it names as its generator.
    package static func isWritten(_ file: PlanFile) -> Bool {
        let head = String(decoding: file.bytes.prefix(2048), as: UTF8.self)
        let lines = head.split(whereSeparator: \.isNewline)
        if lines.first.map(String.init) == mark { return true }
        return lines.first == "<!doctype html>" && lines.contains { $0 == generator }
    }

    /// The first line of every page in Markdown.
    static let mark = "<!-- Written by `trackctl schema docs`: what is changed here is lost. -->"
    /// A line in the head of the page in HTML.
    static let generator = #"<meta name="generator" content="trackctl schema docs">"#

    /// One page in Markdown, as forges show it beside the folder's files.
    package static func markdown(_ plan: EventPlan) -> String { MarkdownPage(PageContent(plan)).text }

    /// One page in HTML that needs nothing else, not even a network.
    package static func html(_ plan: EventPlan) -> String { HTMLPage(PageContent(plan)).text }
}
