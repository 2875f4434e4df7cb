internal import TextRendering

/// Single figures side by side.
package struct FigureTiles: PageBlock {
    private let figures: [(name: String, value: String)]

    package init(_ figures: [(name: String, value: String)]) { self.figures = figures }

    package var html: String {
        let tiles = figures.map { name, value in
            "<div><dt>\(HTMLText.escape(name))</dt><dd>\(HTMLText.escape(value))</dd></div>"
        }
        return "<dl class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</dl>"
    }
}
