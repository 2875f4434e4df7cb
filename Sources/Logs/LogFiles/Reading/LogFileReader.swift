package import JSONLines

/// Reads the lines of a file or of standard input, plain or compressed with gzip, in flat memory.
///
/// ```swift
/// let reader = try LogFileReader(path: "events.jsonl.gz")
/// try reader.forEachLine { line, number in … }
/// ```
///
/// What a file holds is told by its content; its name does not matter. For one thread at a time.
package final class LogFileReader {
    /// The longest line that is passed on, in bytes, line feed not counted: 16 MiB. A longer one is passed on as
    /// `tooLong`, without its bytes.
    package static let maximumLineLength = 16 << 20

    /// The file as messages name it: its path, or `<stdin>`.
    package var name: String { blocks.name }

    private let blocks: LogFileBlocks
    private var splitter = LineSplitter(maximumLength: maximumLineLength)
    private var lines: [LineSplitter.Line] = []
    private var position = 0
    private var number = 0
    private var isAtEnd = false

    /// Opens a file and looks at its first bytes.
    ///
    /// - Parameter path: The file, or `-` for standard input.
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    package convenience init(path: String) throws { self.init(try LogFileBlocks(path: path)) }

    /// Reads the lines of a file that has been opened.
    package init(_ blocks: LogFileBlocks) { self.blocks = blocks }

    /// The next line with its number, from 1; nil at the end.
    ///
    /// - Throws: ``LogFileError``: `cannotRead`, `truncated`, `corrupt`, `isDatabase`, after all complete
    ///   lines before the fault. What stands between the last line feed and the fault is not passed on.
    package func next() throws -> (line: LineSplitter.Line, number: Int)? {
        while position == lines.count {
            if isAtEnd { return nil }
            lines.removeAll(keepingCapacity: true)
            position = 0
            if let block = try blocks.next() {
                splitter.feed(block) { lines.append($0) }
            } else {
                isAtEnd = true
                splitter.finish { lines.append($0) }
            }
        }
        defer { position += 1 }
        number += 1
        return (lines[position], number)
    }

    /// Passes on every line that is left, with its number.
    ///
    /// - Throws: What ``next()`` or `body` throws.
    package func forEachLine(_ body: (_ line: LineSplitter.Line, _ number: Int) throws -> Void) throws {
        while let (line, number) = try next() { try body(line, number) }
    }
}
