/// Cuts a stream of bytes, fed in chunks of any size, into lines.
///
/// Memory is bounded by the longest line or by `maximumLength`, whichever is smaller: a longer line is passed
/// on as ``Line/tooLong``, without its bytes, and the next one is read normally.
public struct LineSplitter: Sendable {
    /// One line of the input.
    public enum Line: Equatable, Sendable {
        /// A line that ended in a line feed; a carriage return before it is part of the line.
        case complete([UInt8])
        /// The bytes after the last line feed: a write that was cut short.
        case torn([UInt8])
        /// A line over the limit; its bytes were skipped.
        case tooLong
    }

    private let maximumLength: Int
    private var pending: [UInt8] = []
    private var isSkipping = false

    /// Makes a splitter.
    ///
    /// - Parameter maximumLength: Bytes of the longest line that is kept, line feed not counted. Default 16 MiB.
    public init(maximumLength: Int = 16 << 20) {
        self.maximumLength = maximumLength
    }

    /// Takes the next chunk and passes on each line that it completes, in order.
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

    /// Says that no more bytes follow, and passes on what the last line feed left over, if anything.
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
