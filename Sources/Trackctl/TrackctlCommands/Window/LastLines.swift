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
    /// - Throws: ``CommandFailure``, `inputOutput`.
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
        private var place: Int?
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
        /// - Throws: ``CommandFailure``, `inputOutput`.
        mutating func next() throws -> LineChunk? {
            while left > 0 {
                if let chunk = takeRest() { return chunk }
                guard try readBlock() else { return nil }
            }
            return nil
        }

        private mutating func readBlock() throws -> Bool {
            guard let (spool, skipped) = spools.first else { return false }
            if place == nil {
                place = isForward ? 0 : spool.length
                skips = isForward ? skipped : 0
                shows = isForward ? .max : spool.count - skipped
            }
            let at = place ?? 0
            let (bytes, entries, next) =
                isForward ? try spool.entries(from: at) : try spool.entries(before: at)
            let wanted = entries.dropFirst(skips).prefix(shows)
            skips -= min(skips, entries.count)
            shows -= min(shows, wanted.count)
            place = next
            if entries.isEmpty || shows == 0 {
                spools.removeFirst()
                place = nil
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
