internal import TextRendering

/// A paragraph of small print.
package struct Note: PageBlock {
    private let text: String

    package init(_ text: String) { self.text = text }

    package var html: String { "<p class=\"note\">\(HTMLText.escape(text))</p>" }
}
