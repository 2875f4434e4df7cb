internal import TextRendering
internal import TrackingPlan

struct MarkdownPage {
    private let content: PageContent

    init(_ content: PageContent) { self.content = content }

    /// The complete page.
    var text: String {
        var parts = [
            """
            \(PlanPage.mark)

            # Tracking plan

            \(content.summary). Generated from the schemas in this folder. [index.html](index.html) is the same page with \
            search.

            | event | version | description |
            |---|---|---|
            \(content.events.map(contents).joined(separator: "\n"))
            """
        ]
        if !content.purposes.isEmpty { parts.append(purposes) }
        parts += content.events.map { section($0) }
        if !content.pages.isEmpty { parts.append(pages) }
        if let container = content.container { parts.append(section(container)) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The events by purpose.
    private var purposes: String {
        let head = "| purpose | events |\n|---|---|"
        let rows = content.purposes.map { name, events in
            "| \(MarkdownText.plain(name)) | \(events.map(link).joined(separator: ", ")) |"
        }
        return ([head] + rows).joined(separator: "\n")
    }

    /// The section of the app's pages. Its heading differs from every event name.
    private var pages: String {
        let head = "| page | content | additional | personal data |\n|---|---|---|---|"
        let rows = content.pages.map { page in
            let additional = page.additional.map { additional in
                MarkdownText.code(additional.label) + (additional.isRequired ? "" : " (optional)") + ": "
                    + MarkdownText.plain(additional.description)
            }
            let personal = page.additional?.isPersonal == true ? "personal" : ""
            return
                "| \(MarkdownText.code(page.name)) | \(MarkdownText.plain(page.description)) | \(additional ?? "") | \(personal) |"
        }
        let path = PlannedPages.path
        return "## Pages of the app\n\nThe pages that `page-view` events name: [\(path)](\(path))\n\n"
            + ([head] + rows).joined(separator: "\n")
    }

    private func contents(_ section: PageSection) -> String {
        "| \(link(section)) | \(section.version) | \(MarkdownText.plain(section.description)) |"
    }

    private func link(_ section: PageSection) -> String {
        "[\(MarkdownText.plain(section.name))](#\(MarkdownText.target(section.name)))"
    }

    private func section(_ section: PageSection) -> String {
        var parts = [
            "## \(MarkdownText.plain(section.name))", MarkdownText.paragraph(section.description),
            "Version \(section.version): [\(MarkdownText.plain(section.path))](\(MarkdownText.target(section.path)))",
        ]
        if let priority = section.priority { parts.append("Priority: \(MarkdownText.plain(priority))") }
        if let purpose = section.purpose {
            let reason = purpose.justification.map { " (strictly necessary): \($0)" } ?? ""
            parts.append("Purpose: \(MarkdownText.plain(purpose.name + reason))")
        }
        if !section.rows.isEmpty {
            let head =
                "| property | type | required | limits | description | personal data |\n|---|---|---|---|---|---|"
            parts.append(([head] + section.rows.map(row)).joined(separator: "\n"))
        }
        if let cut = section.cut { parts.append(MarkdownText.plain(cut)) }
        for example in section.examples {
            let text = JSONPrinter(example).text
            let fence = MarkdownPage.fence(for: text)
            parts.append("\(fence)json\n\(text)\n\(fence)")
        }
        if section.history.count > 1 || section.history.first?.since != nil {
            parts.append(section.history.map(version).joined(separator: "\n"))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private func row(_ row: PropertyRow) -> String {
        var limits = row.allowed.map { MarkdownText.code($0) } + row.limits.map(MarkdownText.plain)
        if let pattern = row.pattern { limits.append(MarkdownText.code(pattern)) }
        if let reason = row.openReason { limits.append(MarkdownText.plain("open: \(reason)")) }
        let cells = [
            MarkdownText.code(row.path), MarkdownText.plain(row.type), row.isRequired.map { $0 ? "yes" : "no" } ?? "",
            limits.joined(separator: ", "), MarkdownText.plain(row.description),
            MarkdownText.plain(row.personal?.label ?? ""),
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private func version(_ version: PageVersion) -> String {
        let head = "- **\(version.version)**\(version.since.map { " (\(MarkdownText.plain($0)))" } ?? "")"
        guard let changes = version.changes else { return "\(head): the first version" }
        guard !changes.isEmpty else { return "\(head): the properties are the same" }
        return
            ([head + ":"]
            + changes.map { "  - \(MarkdownText.code($0.path, inTable: false)): \(MarkdownText.plain($0.text))" })
            .joined(separator: "\n")
    }

    /// Returns a code fence that the text cannot close.
    private static func fence(for text: String) -> String {
        String(repeating: "`", count: max(3, MarkdownText.longestRun(in: text.unicodeScalars) + 1))
    }
}
