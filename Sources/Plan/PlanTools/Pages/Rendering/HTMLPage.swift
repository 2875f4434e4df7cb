internal import Foundation
internal import Primitives
internal import TextRendering

/// A plan in HTML.
///
/// Style and script stand in the page and are allowed by their digests; the page may load nothing and run nothing else,
/// whatever a schema says.
struct HTMLPage {
    private let content: PageContent

    init(_ content: PageContent) { self.content = content }

    /// The whole page.
    var text: String {
        let policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '\(Self.source(PageStyle.text))'; "
            + "script-src '\(Self.source(PageScript.text))'"
        let sections = content.events + (content.container.map { [$0] } ?? [])
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            \(PlanPage.generator)
            <title>Tracking plan</title>
            <style>\(PageStyle.text)</style>
            </head>
            <body>
            <nav aria-label="Events">
            <p class="home"><a href="#_top">Tracking plan</a></p>
            <input id="_filter" type="search" placeholder="Search" aria-label="Search events and properties" autocomplete="off" hidden>
            <ul>
            \(content.events.map(link).joined(separator: "\n"))
            </ul>
            \(content.container.map { "<p class=\"group\">Around every event</p>\n<ul>\n\(link($0))\n</ul>" } ?? "")
            </nav>
            <main id="_top">
            <header>
            <h1>Tracking plan</h1>
            <p>\(HTMLText.escape(content.summary)). What the app sends, and what each part of it means.</p>
            </header>
            \(sections.map { HTMLSection($0).text }.joined(separator: "\n"))
            <p id="_nothing" role="status" hidden>Nothing matches.</p>
            </main>
            <script>\(PageScript.text)</script>
            </body>
            </html>

            """
    }

    private func link(_ section: PageSection) -> String {
        let name = HTMLText.escape(section.name)
        return "<li><a href=\"#\(HTMLText.escape(section.anchor))\">\(name)</a></li>"
    }

    private static func source(_ text: String) -> String {
        "sha256-\(Data(SHA256.bytes(of: Array(text.utf8))).base64EncodedString())"
    }
}
