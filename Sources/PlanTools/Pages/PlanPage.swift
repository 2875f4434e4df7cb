package import TrackingPlan

/// The documentation of a plan: what analysts and developers read. The same plan gives the same bytes.
package enum PlanPage {
    /// Where the pages lie within a folder of schemas.
    package static let markdownPath = "README.md"
    package static let htmlPath = "index.html"

    /// One page in Markdown, as forges show it beside the folder's files.
    package static func markdown(_ plan: EventPlan) -> String { MarkdownPage(PageContent(plan)).text }

    /// One page in HTML that needs nothing else, not even a network.
    package static func html(_ plan: EventPlan) -> String { HTMLPage(PageContent(plan)).text }
}
