internal import LogFiles

/// Keeps the last N lines in two spools. When the newer spool has N lines, the older one is dropped, so at most 2N
/// lines are kept.
final class LastLines {
    private let count: Int
    private var older = LineSpool()
    private var newer = LineSpool()

    /// - Parameter count: The number of lines to keep; nil for all.
    init(_ count: Int?) { self.count = count ?? .max }

    /// Adds a line.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func append(_ line: UnsafeRawBufferPointer, _ head: LineSpool.Head) throws {
        if newer.count == count {
            older = newer
            newer = LineSpool()
        }
        try newer.append(line, head)
    }

    /// The kept lines, in chunks.
    ///
    /// - Parameters:
    /// - reversed: Whether the last line comes first.
    /// - limit: The most lines, counted from the first one returned.
    func chunks(reversed: Bool, limit: Int) -> LineChunks {
        let skipped = max(0, older.count - max(0, count - newer.count))
        return LineChunks(
            reversed ? [(newer, 0), (older, skipped)] : [(older, skipped), (newer, 0)], isForward: !reversed,
            limit: limit)
    }

    /// Reads the lines of spools block by block.
    struct LineChunks {
        private var spools: ArraySlice<(spool: LineSpool, skipped: Int)>
        private let isForward: Bool
        /// The number of lines still to return.
        private var left: Int
        /// The position in the current spool, and the lines left to skip or to return.
        private var location: Int?
        private var skips = 0
        private var shows = 0
        /// The remaining lines of a block with lines of several inputs.
        private var rest: (bytes: [UInt8], entries: ArraySlice<LineSpool.Entry>)?

        fileprivate init(_ spools: [(spool: LineSpool, skipped: Int)], isForward: Bool, limit: Int) {
            self.spools = spools[...]
            self.isForward = isForward
            left = limit
        }

        /// The next chunk; nil at the end.
        ///
        /// - Throws: `LogFileError`, `cannotWrite`.
        mutating func next() throws -> LineChunk? {
            while left > 0 {
                if let chunk = takeRest() { return chunk }
                guard try readBlock() else { return nil }
            }
            return nil
        }

        private mutating func readBlock() throws -> Bool {
            guard let (spool, skipped) = spools.first else { return false }
            if location == nil {
                location = isForward ? 0 : spool.length
                skips = isForward ? skipped : 0
                shows = isForward ? .max : spool.count - skipped
            }
            let at = location ?? 0
            let (bytes, entries, next) =
                isForward ? try spool.entries(from: at) : try spool.entries(before: at)
            let wanted = entries.dropFirst(skips).prefix(shows)
            skips -= min(skips, entries.count)
            shows -= min(shows, wanted.count)
            location = next
            if entries.isEmpty || shows == 0 {
                spools.removeFirst()
                location = nil
            }
            if !wanted.isEmpty { rest = (bytes, wanted) }
            return true
        }

        /// The first remaining lines that are from one input.
        private mutating func takeRest() -> LineChunk? {
            guard let (bytes, entries) = rest, let first = entries.first else { return nil }
            let same = entries.prefix { $0.head.input == first.head.input }.prefix(left)
            left -= same.count
            let others = entries.dropFirst(same.count)
            rest = others.isEmpty ? nil : (bytes, others)
            var chunk = LineChunk(input: first.head.input, isDatabase: first.head.isDatabase, bytes: bytes)
            chunk.rows = same.map {
                LineChunk.Row(
                    start: $0.range.lowerBound, end: $0.range.upperBound, number: $0.head.number,
                    standing: $0.head.standing)
            }
            return chunk
        }
    }
}

/// Keeps lines in order: in memory up to ``memoryLimit``, beyond that in an unlinked temporary file.
final class LineSpool {
    /// Bytes: 4 MiB. ``LastLines`` has two spools, each of which can buffer twice as much.
    private static let memoryLimit = 4 << 20

    /// The metadata of a line.
    struct Head {
        let input: Int
        let isDatabase: Bool
        let number: Int64
        let standing: LineStanding

        init(of line: LineChunk.Line, in chunk: LineChunk) {
            self.init(
                input: chunk.input, isDatabase: chunk.isDatabase, number: line.number, standing: line.standing)
        }

        fileprivate init(input: Int, isDatabase: Bool, number: Int64, standing: LineStanding) {
            self.input = input
            self.isDatabase = isDatabase
            self.number = number
            self.standing = standing
        }
    }

    /// A line in a block.
    struct Entry {
        let head: Head
        /// The range of its bytes in the block.
        let range: Range<Int>
    }

    private(set) var count = 0
    /// The size in bytes, including metadata.
    private(set) var length = 0
    /// The entries that are not in the file yet.
    private var pending: [UInt8] = []
    private var file: TemporaryFile?

    /// The distinct standings. The logs of all inputs have a few purposes, and three reasons to hold an event.
    private var standings: [LineStanding] = []
    /// The index of the last line's standing.
    private var lastStanding = 0

    // Format of an entry: number, input (highest bit: database), index of the standing, length, bytes, length again.
    private static let headLength = 20
    private static let tailLength = 4

    /// Adds a line.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func append(_ line: UnsafeRawBufferPointer, _ head: Head) throws {
        let before = pending.count
        Self.append(UInt64(bitPattern: head.number), to: &pending)
        Self.append(UInt32(head.input) | (head.isDatabase ? 1 << 31 : 0), to: &pending)
        Self.append(UInt32(index(of: head.standing)), to: &pending)
        Self.append(UInt32(line.count), to: &pending)
        pending.append(contentsOf: line)
        Self.append(UInt32(line.count), to: &pending)
        count += 1
        length += pending.count - before
        if pending.count > Self.memoryLimit { try spill() }
    }

    private func index(of standing: LineStanding) -> Int {
        if standings.indices.contains(lastStanding), standings[lastStanding] == standing { return lastStanding }
        if let known = standings.firstIndex(of: standing) {
            lastStanding = known
        } else {
            lastStanding = standings.count
            standings.append(standing)
        }
        return lastStanding
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private func spill() throws {
        let file = try self.file ?? TemporaryFile()
        self.file = file
        try pending.withUnsafeBytes { try file.append($0) }
        pending.removeAll(keepingCapacity: true)
    }

    /// Reads entries forward from a position: as many as fit in one block, at least one; none at the end.
    ///
    /// - Returns: The block, its entries, and the position of the next entry.
    func entries(from start: Int, block: Int = 1 << 20) throws -> (bytes: [UInt8], entries: [Entry], next: Int) {
        var size = min(block, length - start)
        while size > 0 {
            let bytes = try read(start..<(start + size))
            var entries: [Entry] = []
            var at = 0
            while let entry = entry(bytes, at) {
                entries.append(entry)
                at = entry.range.upperBound + Self.tailLength
            }
            if at > 0 { return (bytes, entries, start + at) }
            size = min(size * 2, length - start)
        }
        return ([], [], start)
    }

    /// Reads entries backward from a position, last entry first: as many as fit in one block, at least one; none at
    /// the start.
    ///
    /// - Returns: The block, its entries, and the position of the first of them.
    func entries(before end: Int, block: Int = 1 << 20) throws -> (bytes: [UInt8], entries: [Entry], start: Int) {
        var size = min(block, end)
        while size > 0 {
            let bytes = try read((end - size)..<end)
            var entries: [Entry] = []
            var at = size
            while at >= Self.headLength + Self.tailLength {
                let length = Int(Self.integer(bytes, at: at - Self.tailLength, as: UInt32.self))
                let start = at - Self.tailLength - length - Self.headLength
                guard start >= 0, let entry = entry(bytes, start) else { break }
                entries.append(entry)
                at = start
            }
            if at < size { return (bytes, entries, end - size + at) }
            size = min(size * 2, end)
        }
        return ([], [], end)
    }

    private func entry(_ bytes: [UInt8], _ at: Int) -> Entry? {
        guard at + Self.headLength <= bytes.count else { return nil }
        func word(_ offset: Int) -> UInt32 { Self.integer(bytes, at: at + offset, as: UInt32.self) }
        let input = word(8)
        let length = Int(word(16))
        let start = at + Self.headLength
        guard start + length + Self.tailLength <= bytes.count else { return nil }
        let head = Head(
            input: Int(input & ~(1 << 31)), isDatabase: input >> 31 == 1,
            number: Int64(bitPattern: Self.integer(bytes, at: at, as: UInt64.self)), standing: standings[Int(word(12))])
        return Entry(head: head, range: start..<(start + length))
    }

    private static func integer<T: FixedWidthInteger>(_ bytes: [UInt8], at: Int, as type: T.Type) -> T {
        bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: T.self)) }
    }

    private func read(_ range: Range<Int>) throws -> [UInt8] {
        let inFile = length - pending.count
        let filed = range.clamped(to: 0..<inFile)
        var bytes = try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<filed.count])
            try file?.read(at: filed.lowerBound, into: part)
            count = filed.count
        }
        let rest = max(range.lowerBound, inFile)..<max(range.upperBound, inFile)
        bytes += pending[(rest.lowerBound - inFile)..<(rest.upperBound - inFile)]
        return bytes
    }
}
