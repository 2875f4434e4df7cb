/// A cell of a table: printable text, and how many columns of a terminal it takes.
package struct TableCell: Sendable {
    package let text: [UInt8]
    package let width: Int

    /// Measures a text.
    ///
    /// - Parameter printable: Text in UTF-8 that drives no terminal: see `String.printable`.
    package init(printable text: [UInt8]) {
        self.text = text
        // One column each, unless there is something else than ASCII.
        width =
            text.contains { $0 >= 0x80 } ? DisplayWidth.of(String(decoding: text, as: UTF8.self)) : text.count
    }

    /// Measures a text.
    ///
    /// - Parameter text: Printable: see `String.printable`.
    package init(_ text: String) { self.init(printable: Array(text.utf8)) }

    /// Appends the text, filled up with spaces.
    ///
    /// - Parameters:
    ///   - columns: How many columns of the terminal there are for it.
    ///   - cuts: Whether what is wider is cut with an ellipsis; else it stands out.
    ///   - isRightAligned: Whether the spaces come first.
    func append(to output: inout [UInt8], columns: Int, cuts: Bool, isRightAligned: Bool) {
        guard cuts, width > columns else {
            let padding = repeatElement(UInt8(ascii: " "), count: max(0, columns - width))
            if isRightAligned { output.append(contentsOf: padding) }
            output.append(contentsOf: text)
            if !isRightAligned { output.append(contentsOf: padding) }
            return
        }
        let start = DisplayWidth.prefix(String(decoding: text, as: UTF8.self), columns: columns - 1)
        output.append(contentsOf: start.utf8)
        output.append(contentsOf: "…".utf8)
        // A wide character that is cut off leaves a column.
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: columns - DisplayWidth.of(start) - 1))
    }
}
