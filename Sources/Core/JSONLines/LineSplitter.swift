/// Splits a stream of bytes, fed in chunks of any size, into lines.
///
/// Memory is bounded by the longest line or by `maximumLength`, whichever is smaller. A longer line is reported as
/// ``Line/tooLong``, without its bytes, and the next line is read normally.
public struct LineSplitter: Sendable {
    /// One line of the input.
    public enum Line: Equatable, Sendable {
        /// A line that ended in a line feed; a carriage return before it is part of the line.
        case complete([UInt8])
        /// The bytes after the last line feed: an incomplete write.
        case torn([UInt8])
        /// A line that exceeds the limit. Its bytes were skipped.
        case tooLong
    }

    private let maximumLength: Int
    private var pending: [UInt8] = []
    private var isSkipping = false

    /// Makes a splitter.
    ///
    /// - Parameter maximumLength: The maximum length of a line in bytes, without the line feed. Default 16 MiB.
    public init(maximumLength: Int = 16 << 20) {
        self.maximumLength = maximumLength
    }

    /// Feeds the next chunk, and passes each complete line to `line`, in order.
    public mutating func feed(
        _ chunk: some Collection<UInt8>, line: (Line) throws -> Void
    ) rethrows {
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let head = rest[..<end]
            if isSkipping || pending.count + head.count > maximumLength {
                try line(.tooLong)
            } else {
                pending.append(contentsOf: head)
                try line(.complete(pending))
            }
            pending.removeAll(keepingCapacity: true)
            isSkipping = false
            rest = rest[rest.index(after: end)...]
        }
        guard !isSkipping else { return }
        if pending.count + rest.count > maximumLength {
            isSkipping = true
            pending.removeAll(keepingCapacity: true)
        } else {
            pending.append(contentsOf: rest)
        }
    }

    /// Ends the stream, and passes the bytes after the last line feed to `line`, if any.
    public mutating func finish(line: (Line) throws -> Void) rethrows {
        defer {
            pending.removeAll()
            isSkipping = false
        }
        if isSkipping {
            try line(.tooLong)
        } else if !pending.isEmpty {
            try line(.torn(pending))
        }
    }
}
