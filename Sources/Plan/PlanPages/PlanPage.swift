package import TrackingPlan

/// The documentation of a plan for analysts and developers. The same plan always gives the same bytes.
package enum PlanPage {
    /// Returns every page with its path in the schemas' folder, including the pages about the rules.
    package static func files(of plan: EventPlan) -> [PlanFile] {
        let content = PageContent(plan)
        return [
            ("README.md", MarkdownPage(content).text), ("index.html", HTMLPage(content).text),
            ("RULES.md", LintRulePage.markdown), ("VERSIONS.md", ChangeRulePage.markdown),
        ].map { PlanFile(path: $0.0, bytes: Array($0.1.utf8)) }
    }

    /// Returns whether a file was generated from schemas, by its first line or the HTML generator tag.
    package static func isWritten(_ file: PlanFile) -> Bool {
        let head = String(decoding: file.bytes.prefix(2048), as: UTF8.self)
        let lines = head.split(whereSeparator: \.isNewline)
        if lines.first?.hasPrefix(markPrefix) == true { return true }
        return lines.first == "<!doctype html>" && lines.contains { $0 == generator }
    }

    /// The first line of every Markdown page.
    static let mark = "\(markPrefix). Do not edit. -->"
    /// The start of the first line, in pages of every version of the program.
    private static let markPrefix = "<!-- Written by `trackctl schema docs`"
    /// The generator tag in the head of the HTML page.
    static let generator = #"<meta name="generator" content="trackctl schema docs">"#

    /// Returns a Markdown page, which code hosts show below the folder's files.
    package static func markdown(_ plan: EventPlan) -> String { MarkdownPage(PageContent(plan)).text }

    /// Returns a self-contained HTML page, which needs no network.
    package static func html(_ plan: EventPlan) -> String { HTMLPage(PageContent(plan)).text }
}
