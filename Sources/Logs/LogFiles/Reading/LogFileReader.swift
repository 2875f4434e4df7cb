package import JSONLines

/// Reads the lines of a file or of standard input, decompressing if necessary, in constant memory.
///
/// ```swift
/// let reader = try LogFileReader(path: "events.jsonl.gz")
/// try reader.forEachLine { line, number in … }
/// ```
///
/// The content determines the format; the name does not matter. Not thread-safe.
package final class LogFileReader {
    /// The longest line in bytes, without line feed: 16 MiB. Longer lines are reported as `tooLong`, without their
    /// bytes.
    package static let maximumLineLength = 16 << 20

    /// The name in messages: the path, or `<stdin>`.
    package var name: String { blocks.name }

    private let blocks: LogFileBlocks
    private var splitter = LineSplitter(maximumLength: maximumLineLength)
    private var lines: [LineSplitter.Line] = []
    private var position = 0
    private var number = 0
    private var isAtEnd = false

    /// Opens a file and reads its first bytes.
    ///
    /// - Parameter path: The file, or `-` for standard input.
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    package convenience init(path: String) throws { self.init(try LogFileBlocks(path: path)) }

    /// Reads the lines of an open file.
    package init(_ blocks: LogFileBlocks) { self.blocks = blocks }

    /// The next line with its number, from 1; nil at the end.
    ///
    /// - Throws: ``LogFileError``: `cannotRead`, `truncated`, `corrupt`, `isDatabase`, after all complete lines
    ///   before the error. An incomplete line before the error is dropped.
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

    /// Calls `body` with every remaining line and its number.
    ///
    /// - Throws: Everything that ``next()`` or `body` throws.
    package func forEachLine(_ body: (_ line: LineSplitter.Line, _ number: Int) throws -> Void) throws {
        while let (line, number) = try next() { try body(line, number) }
    }
}
