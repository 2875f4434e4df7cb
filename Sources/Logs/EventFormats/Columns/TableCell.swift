internal import TextRendering

/// A field of a table: printable text, and how many columns of a terminal it takes.
struct TableCell: Sendable {
    let text: [UInt8]
    let width: Int

    /// Escapes what is unprintable.
    init(_ bytes: [UInt8]) {
        var text = bytes
        text.escapeUnprintable()
        self.text = text
        // One column each, unless there is something else than ASCII.
        width =
            text.contains { $0 >= 0x80 } ? DisplayWidth.of(String(decoding: text, as: UTF8.self)) : text.count
    }

    /// Appends the text, padded to a width, and the gap to the next column.
    ///
    /// - Parameter cuts: Whether what is wider is cut with an ellipsis; else it is followed by the gap.
    func append(to output: inout [UInt8], padding columns: Int, cuts: Bool) {
        var shown = width
        if cuts, width > columns {
            let start = DisplayWidth.prefix(String(decoding: text, as: UTF8.self), columns: columns - 1)
            output.append(contentsOf: start.utf8)
            output.append(contentsOf: "…".utf8)
            shown = DisplayWidth.of(start) + 1
        } else {
            output.append(contentsOf: text)
        }
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, columns - shown) + TableWidths.gap))
    }
}
