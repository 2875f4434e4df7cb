internal import TextRendering

/// A self-contained HTML page of charts: one file without scripts or external resources. Supports screen readers,
/// dark mode, phones and print. The same content gives the same bytes.
///
/// All texts are escaped; none can become markup.
package struct ChartPage: Sendable {
    package struct Section: Sendable {
        let anchor: String
        let title: String
        let blocks: [any PageBlock]

        /// - Parameter anchor: The fragment of links to the section: ASCII letters and hyphens.
        package init(_ anchor: String, title: String, _ blocks: [any PageBlock]) {
            self.anchor = anchor
            self.title = title
            self.blocks = blocks
        }

        fileprivate var html: String {
            let anchor = HTMLText.escape(anchor)
            return """
                <section id="\(anchor)" aria-labelledby="\(anchor)-title">
                <h2 id="\(anchor)-title">\(HTMLText.escape(title))</h2>
                \(blocks.map(\.html).joined(separator: "\n"))
                </section>
                """
        }
    }

    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    private let title: String
    private let lead: [String]
    private let sections: [Section]

    /// - Parameter lead: The paragraphs under the title.
    package init(title: String, lead: [String], sections: [Section]) {
        self.title = title
        self.lead = lead
        self.sections = sections
    }

    /// The whole page, ending with a line feed.
    package var text: String {
        let title = HTMLText.escape(title)
        let links = sections.map {
            "<a href=\"#\(HTMLText.escape($0.anchor))\">\(HTMLText.escape($0.title))</a>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(ChartStyle.text)</style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            \(lead.map { "<p>\(HTMLText.escape($0))</p>" }.joined(separator: "\n"))
            <nav aria-label="Sections">\(links.joined(separator: "\n"))</nav>
            </header>
            <main>
            \(sections.map(\.html).joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }
}
