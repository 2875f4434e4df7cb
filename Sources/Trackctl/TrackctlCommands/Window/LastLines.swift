internal import LogFiles

/// The last lines of many, up to a number of them: kept in two spools, of which the older is dropped whenever the newer
/// has enough, so that at most twice as many are kept as are wanted.
final class LastLines {
    private let count: Int
    private var older = LineSpool()
    private var newer = LineSpool()

    /// - Parameter count: How many are wanted; nil keeps them all.
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

    /// The lines that are left, in chunks.
    ///
    /// - Parameters:
    ///   - reversed: The last one first.
    ///   - limit: At most so many, from the first on that is shown.
    func chunks(reversed: Bool, limit: Int) -> LineChunks {
        let skipped = max(0, older.count - max(0, count - newer.count))
        return LineChunks(
            reversed ? [(newer, 0), (older, skipped)] : [(older, skipped), (newer, 0)], isForward: !reversed,
            limit: limit)
    }

    /// The lines of spools, block by block.
    struct LineChunks {
        private var spools: ArraySlice<(spool: LineSpool, skipped: Int)>
        private let isForward: Bool
        /// How many lines may still be shown.
        private var left: Int
        /// Where the spool that is being read goes on, and how many of its lines are left to skip or to show.
        private var location: Int?
        private var skips = 0
        private var shows = 0
        /// Of a block whose lines are of several inputs, those that are left.
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

        /// The first lines that are left, as far as they are of one input.
        private mutating func takeRest() -> LineChunk? {
            guard let (bytes, entries) = rest, let first = entries.first else { return nil }
            let same = entries.prefix { $0.head.input == first.head.input }.prefix(left)
            left -= same.count
            let others = entries.dropFirst(same.count)
            rest = others.isEmpty ? nil : (bytes, others)
            var chunk = LineChunk(input: first.head.input, isDatabase: first.head.isDatabase, bytes: bytes)
            chunk.rows = same.map {
                LineChunk.Row(start: $0.range.lowerBound, end: $0.range.upperBound, number: $0.head.number)
            }
            return chunk
        }
    }
}

/// Lines kept in the order in which they came: in memory as long as they are few, past ``memoryLimit`` in a temporary file
/// that nobody else can open.
final class LineSpool {
    /// Bytes: 4 MiB. ``LastLines`` has two of them, each with room for twice as much.
    private static let memoryLimit = 4 << 20

    /// What is kept of a line beside its bytes.
    struct Head {
        let input: Int
        let isDatabase: Bool
        let number: Int64
    }

    /// A line in a block that was read.
    struct Entry {
        let head: Head
        /// Where its bytes stand in the block.
        let range: Range<Int>
    }

    /// How many lines there are.
    private(set) var count = 0
    /// How many bytes they take, heads included.
    private(set) var length = 0
    /// What is not in the file, or not yet.
    private var pending: [UInt8] = []
    private var file: TemporaryFile?

    // An entry: the number, the input with the highest bit for a database, the length, the bytes, the length again.
    private static let headLength = 16
    private static let tailLength = 4

    /// Adds a line.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func append(_ line: UnsafeRawBufferPointer, _ head: Head) throws {
        let before = pending.count
        Self.append(UInt64(bitPattern: head.number), to: &pending)
        Self.append(UInt32(head.input) | (head.isDatabase ? 1 << 31 : 0), to: &pending)
        Self.append(UInt32(line.count), to: &pending)
        pending.append(contentsOf: line)
        Self.append(UInt32(line.count), to: &pending)
        count += 1
        length += pending.count - before
        if pending.count > Self.memoryLimit { try spill() }
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

    // MARK: Reading

    /// Entries one after the other from a place on, as many as one block holds, at least one; empty at the end.
    ///
    /// - Returns: The block, its entries, and where the next one begins.
    func entries(from start: Int, block: Int = 1 << 20) throws -> (bytes: [UInt8], entries: [Entry], next: Int) {
        var size = min(block, length - start)
        while size > 0 {
            let bytes = try read(start..<(start + size))
            var entries: [Entry] = []
            var at = 0
            while let entry = Self.entry(bytes, at) {
                entries.append(entry)
                at = entry.range.upperBound + Self.tailLength
            }
            if at > 0 { return (bytes, entries, start + at) }
            size = min(size * 2, length - start)
        }
        return ([], [], start)
    }

    /// Entries before a place, the last one first, as many as one block holds, at least one; empty at the start.
    ///
    /// - Returns: The block, its entries, and where the first of them begins.
    func entries(before end: Int, block: Int = 1 << 20) throws -> (bytes: [UInt8], entries: [Entry], start: Int) {
        var size = min(block, end)
        while size > 0 {
            let bytes = try read((end - size)..<end)
            var entries: [Entry] = []
            var at = size
            while at >= Self.headLength + Self.tailLength {
                let length = Int(Self.integer(bytes, at - Self.tailLength, UInt32.self))
                let start = at - Self.tailLength - length - Self.headLength
                guard start >= 0, let entry = Self.entry(bytes, start) else { break }
                entries.append(entry)
                at = start
            }
            if at < size { return (bytes, entries, end - size + at) }
            size = min(size * 2, end)
        }
        return ([], [], end)
    }

    private static func entry(_ bytes: [UInt8], _ at: Int) -> Entry? {
        guard at + headLength <= bytes.count else { return nil }
        let input = integer(bytes, at + 8, UInt32.self)
        let length = Int(integer(bytes, at + 12, UInt32.self))
        let start = at + headLength
        guard start + length + tailLength <= bytes.count else { return nil }
        let head = Head(
            input: Int(input & ~(1 << 31)), isDatabase: input >> 31 == 1,
            number: Int64(bitPattern: integer(bytes, at, UInt64.self)))
        return Entry(head: head, range: start..<(start + length))
    }

    private static func integer<T: FixedWidthInteger>(_ bytes: [UInt8], _ at: Int, _ type: T.Type) -> T {
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
