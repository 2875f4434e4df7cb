internal import Foundation
internal import Primitives
internal import TextRendering
internal import TrackingPlan

/// A plan in HTML.
///
/// Style and script are embedded and allowed by their digests. The content security policy blocks everything else,
/// whatever a schema contains.
struct HTMLPage {
    private let content: PageContent

    init(_ content: PageContent) { self.content = content }

    /// The complete page.
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
            \(content.purposes.isEmpty ? "" : "<p class=\"group\">The plan</p>\n<ul>\n<li><a href=\"#_purposes\">Purposes</a></li>\n</ul>\n")\
            \(content.pages.isEmpty ? "" : "<p class=\"group\">The app</p>\n<ul>\n<li><a href=\"#_pages\">Pages</a></li>\n</ul>\n")\
            \(content.container.map { "<p class=\"group\">Around every event</p>\n<ul>\n\(link($0))\n</ul>" } ?? "")
            </nav>
            <main id="_top">
            <header>
            <h1>Tracking plan</h1>
            <p>\(HTMLText.escape(content.summary)). The events that the app sends, and the meaning of their properties.</p>
            </header>
            \(sections.map { HTMLSection($0).text }.joined(separator: "\n"))
            \(purposes)\(pages)\
            <p id="_nothing" role="status" hidden>Nothing matches.</p>
            </main>
            <script>\(PageScript.text)</script>
            </body>
            </html>

            """
    }

    /// The section of the events by purpose, with a trailing line feed; empty if all have the same purpose.
    private var purposes: String {
        guard !content.purposes.isEmpty else { return "" }
        let rows = content.purposes.map { name, events in
            let links = events.map { event in
                "<a href=\"#\(HTMLText.escape(event.anchor))\">\(HTMLText.escape(event.name))</a>"
            }
            return "<tr><td>\(HTMLText.escape(name))</td><td>\(links.joined(separator: ", "))</td></tr>"
        }
        return """
            <section id="_purposes">
            <h2><a href="#_purposes">Purposes</a></h2>
            <p class="lead">The events of each purpose. People agree to each purpose separately.</p>
            <div class="scroll"><table>
            <thead><tr><th>Purpose</th><th>Events</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            </section>

            """
    }

    /// The section of the app's pages, with a trailing line feed; empty if there are none.
    private var pages: String {
        guard !content.pages.isEmpty else { return "" }
        let rows = content.pages.map { page in
            let additional = page.additional.map { additional in
                "<code>\(HTMLText.escape(additional.label))</code> <small>\(additional.isRequired ? "required" : "optional")</small> "
                    + HTMLText.escape(additional.description) + (additional.isPersonal ? " <em>personal</em>" : "")
            }
            return
                "<tr><td><code>\(HTMLText.escape(page.name))</code></td><td>\(HTMLText.escape(page.description))</td>"
                + "<td>\(additional ?? "")</td></tr>"
        }
        return """
            <section id="_pages">
            <h2><a href="#_pages">Pages of the app</a></h2>
            <p class="lead">The pages that page-view events name.</p>
            <div class="scroll"><table>
            <thead><tr><th>Page</th><th>Content</th><th>Additional</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            </section>

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

/// One event, or the container, in HTML.
struct HTMLSection {
    private let section: PageSection

    init(_ section: PageSection) { self.section = section }

    /// The `section` element.
    var text: String {
        let name = HTMLText.escape(section.name)
        let anchor = HTMLText.escape(section.anchor)
        let path = HTMLText.escape(section.path)
        return """
            <section id="\(anchor)">
            <h2><a href="#\(anchor)">\(name)</a> <a class="version" href="\(MarkdownText.target(section.path))" title="\(path)">\(section.version)</a></h2>
            <p class="lead">\(HTMLText.escape(section.description))</p>
            \(priority)\(purpose)\(table)\(examples)\(history)</section>
            """
    }

    private var priority: String {
        section.priority.map { "<p>Priority: \(HTMLText.escape($0))</p>\n" } ?? ""
    }

    private var purpose: String {
        guard let purpose = section.purpose else { return "" }
        let reason = purpose.justification.map { " (strictly necessary): \($0)" } ?? ""
        return "<p>Purpose: \(HTMLText.escape(purpose.name + reason))</p>\n"
    }

    private var table: String {
        guard !section.rows.isEmpty else { return "" }
        return """
            <div class="scroll"><table>
            <thead><tr><th>Property</th><th>Type</th><th>Values</th><th>Description</th></tr></thead>
            <tbody>
            \(section.rows.map(row).joined(separator: "\n"))
            </tbody>
            </table></div>
            \(section.cut.map { "<p>\(HTMLText.escape($0))</p>\n" } ?? "")
            """
    }

    private func row(_ row: PropertyRow) -> String {
        var values = row.allowed.map { "<code>\(HTMLText.escape($0))</code>" }
        values += row.limits.map { "<span>\(HTMLText.escape($0))</span>" }
        if let pattern = row.pattern { values.append("<code class=\"pattern\">\(HTMLText.escape(pattern))</code>") }
        if let reason = row.openReason { values.append("<span>open: \(HTMLText.escape(reason))</span>") }
        let personal = row.personal?.label.map { " <em>\(HTMLText.escape($0))</em>" } ?? ""
        let need = row.isRequired.map { " <small>\($0 ? "required" : "optional")</small>" } ?? ""
        return "<tr><td>\(path(row.path))</td><td>\(HTMLText.escape(row.type))\(need)</td>"
            + "<td>\(values.joined(separator: "<br>"))</td>"
            + "<td>\(HTMLText.escape(row.description))\(personal)</td></tr>"
    }

    /// Returns a path with its last name emphasized.
    private func path(_ path: String) -> String {
        let name = path.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        let way = path.dropLast(name.count)
        return "<code><s>\(HTMLText.escape(String(way)))</s>\(HTMLText.escape(String(name)))</code>"
    }

    private var examples: String {
        section.examples.map { "<pre>\(HTMLText.highlighted(JSONPrinter($0)))</pre>\n" }.joined()
    }

    private var history: String {
        guard section.history.count > 1 || section.history.first?.since != nil else { return "" }
        return "<h3>History</h3>\n<dl>\n\(section.history.map(version).joined(separator: "\n"))\n</dl>\n"
    }

    private func version(_ version: PageVersion) -> String {
        let since = version.since.map { " <time>\(HTMLText.escape($0))</time>" } ?? ""
        let changes: String =
            switch version.changes {
            case nil: "<dd>The first version.</dd>"
            case let changes? where changes.isEmpty: "<dd>The properties are the same.</dd>"
            case let changes?:
                changes.map {
                    "<dd><code>\(HTMLText.escape($0.path))</code> \(HTMLText.escape($0.text))</dd>"
                }.joined(separator: "\n")
            }
        return "<dt>\(HTMLText.escape(version.version))\(since)</dt>\n\(changes)"
    }
}

extension HTMLText {
    /// Returns JSON with a color for each kind of token.
    static func highlighted(_ printer: JSONPrinter) -> String {
        printer.tokens.map { token in
            let text = escape(token.text)
            return switch token.kind {
            case .name: "<b>\(text)</b>"
            case .string: "<i class=\"s\">\(text)</i>"
            case .number: "<i class=\"n\">\(text)</i>"
            case .literal: "<i class=\"l\">\(text)</i>"
            case .mark: text
            }
        }.joined()
    }
}
