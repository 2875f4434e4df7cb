internal import LogFiles
internal import TrackingPlan

/// Reads a file of lines as chunks of whole lines, in flat memory. What is not a regular file is passed on as it comes.
struct TextChunker {
    /// How many bytes are read at a time; the line that they break off in is the first of the next chunk.
    static let chunkSize = 256 << 10
    /// Of a longer line only so much is kept, unless more is asked for: enough for a check to know it for too long.
    static let longestChecked = 2 * LineChecker.maximumLength

    private let longest: Int
    private let file: LogFileBlocks
    private let input: Int
    /// The line that the last chunk broke off in.
    private var unfinished: [UInt8] = []
    /// Whether the rest of a line that is too long is being dropped.
    private var isSkipping = false
    private var isAtEnd = false
    private var failure: (any Error)?

    /// - Parameter longest: How much of a longer line is kept, in bytes.
    init(_ file: LogFileBlocks, input: Int, longest: Int = Self.longestChecked) {
        self.longest = longest
        self.file = file
        self.input = input
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `LogFileError`, after all complete lines before the fault.
    mutating func next() throws -> LineChunk? {
        while !isAtEnd {
            let before = unfinished.count
            var bytes = read()
            if isSkipping { skip(&bytes) }
            // What was unfinished has no line feed.
            let end = bytes[before...].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if isAtEnd {
                // What stands between the last line feed and a fault is no line.
                if failure != nil { bytes.removeLast(bytes.count - end) }
                if !bytes.isEmpty { return LineChunk(input: input, bytes: bytes) }
            } else if end > 0 {
                unfinished = Array(bytes[end...])
                bytes.removeLast(unfinished.count)
                return LineChunk(input: input, bytes: bytes)
            } else {
                isSkipping = isSkipping || bytes.count > longest
                if bytes.count > longest { bytes.removeLast(bytes.count - longest) }
                unfinished = bytes
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// The unfinished line and what follows it.
    private mutating func read() -> [UInt8] {
        let before = unfinished.count
        return [UInt8](unsafeUninitializedCapacity: before + Self.chunkSize) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            buffer.copyBytes(from: unfinished)
            count = before
            while count < buffer.count, !isAtEnd {
                do {
                    let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                    count += read
                    isAtEnd = read == 0
                    // Of what another program is still writing, what is there is passed on.
                    if !file.isRegularFile { break }
                } catch {
                    isAtEnd = true
                    failure = error
                }
            }
        }
    }

    /// Drops the rest of the unfinished line.
    private mutating func skip(_ bytes: inout [UInt8]) {
        let rest = bytes[unfinished.count...]
        let feed = rest.firstIndex(of: 0x0A)
        bytes.removeSubrange(unfinished.count..<(feed ?? bytes.count))
        isSkipping = feed == nil
    }
}
