internal import TrackingPlan

/// Cuts the bytes of an input into chunks of whole lines, in flat memory.
struct LineChunker {
    /// How many bytes make a chunk; the line that crosses the limit is the first of the next.
    static let chunkSize = 256 << 10
    /// Of a longer line only so much is kept, which is enough to know it for too long.
    private static let longest = 2 * LineChecker.maximumLength

    private let input: Int
    private var pending: LineChunk
    /// Whether the rest of a line that is too long is being dropped.
    private var isSkipping = false

    init(input: Int) {
        self.input = input
        pending = LineChunk(input: input)
    }

    /// Takes the next block of text, and hands on the chunk that it completes.
    mutating func feed(_ block: [UInt8], _ chunk: (LineChunk) -> Void) {
        var block = block[...]
        if isSkipping {
            guard let feed = block.firstIndex(of: 0x0A) else { return }
            block = block[feed...]
            isSkipping = false
        }
        pending.bytes.append(contentsOf: block)
        guard pending.bytes.count >= Self.chunkSize else { return }
        if let feed = pending.bytes.lastIndex(of: 0x0A) {
            let rest = Array(pending.bytes[(feed + 1)...])
            pending.bytes.removeLast(rest.count)
            hand(on: rest, chunk)
        } else {
            pending.bytes.removeLast(pending.bytes.count - Self.longest)
            isSkipping = true
        }
    }

    /// Takes the next row of a database, and hands on the chunk that it completes.
    mutating func feed(row line: UnsafeRawBufferPointer, seq: Int64, _ chunk: (LineChunk) -> Void) {
        pending.bytes.append(contentsOf: line.prefix(Self.longest))
        pending.rows.append(LineChunk.Row(end: pending.bytes.count, seq: seq))
        if pending.bytes.count >= Self.chunkSize { hand(on: [], chunk) }
    }

    /// Forgets what stands after the last line feed of a text.
    mutating func dropUnfinishedLine() {
        guard pending.rows.isEmpty else { return }
        let lines = pending.bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        pending.bytes.removeLast(pending.bytes.count - lines)
    }

    /// Hands on what is left.
    mutating func finish(_ chunk: (LineChunk) -> Void) {
        if !pending.bytes.isEmpty || !pending.rows.isEmpty { hand(on: [], chunk) }
    }

    private mutating func hand(on rest: [UInt8], _ chunk: (LineChunk) -> Void) {
        let full = pending
        pending = LineChunk(input: input)
        pending.bytes.reserveCapacity(Self.chunkSize + 64 << 10)
        pending.bytes.append(contentsOf: rest)
        chunk(full)
    }
}
