internal import TerminalText

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

    /// Appends the text, padded to a width, or cut to it with an ellipsis.
    ///
    /// - Parameters:
    ///   - columns: The width to cut to; nil for no end.
    ///   - padding: The width to pad to.
    func append(columns: Int?, padding: Int, to output: inout [UInt8]) {
        var shown = width
        if let columns, width > columns {
            let start = DisplayWidth.prefix(String(decoding: text, as: UTF8.self), columns: columns - 1)
            output.append(contentsOf: start.utf8)
            output.append(contentsOf: "…".utf8)
            shown = DisplayWidth.of(start) + 1
        } else {
            output.append(contentsOf: text)
        }
        if shown < padding { output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: padding - shown)) }
    }
}
