/// A table of names with the schemas of their values, for fast lookup by bytes.
///
/// The creator must keep the memory of the entries and their bytes alive.
// Sendable without a lock: the memory is never written after initialization.
struct NameTable: BitwiseCopyable, @unchecked Sendable {
    struct Entry: BitwiseCopyable, @unchecked Sendable {
        /// The first eight bytes, zero-padded.
        let prefix: UInt64
        let length: Int
        let bytes: UnsafePointer<UInt8>
        /// The schema in `properties`; none for a name that is only mentioned.
        let node: ProgramIndex
        /// The next entry of the same bucket.
        var next: ProgramIndex
    }

    let entries: UnsafePointer<Entry>
    let count: Int
    /// The heads of the chains. Their number is a power of two, or 0 while a linear scan is faster.
    let buckets: UnsafePointer<ProgramIndex>
    let bucketCount: Int

    static func prefix(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<min(name.count, 8) { prefix |= UInt64(name[index]) << UInt64(8 * index) }
        return prefix
    }

    /// Returns the first eight bytes of a name in a text that extends to `end`.
    @inline(__always)
    static func prefix(_ start: UnsafePointer<UInt8>, _ count: Int, end: UnsafePointer<UInt8>) -> UInt64 {
        guard end - start >= 8 else { return prefix(UnsafeBufferPointer(start: start, count: count)) }
        let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian
        return count >= 8 ? word : word & ((1 << UInt64(8 &* count)) &- 1)
    }

    /// Returns the last eight bytes of a name; 0 if the name has at most eight bytes.
    @inline(__always)
    static func suffix(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        guard count > 8 else { return 0 }
        return UnsafeRawPointer(start + (count - 8)).loadUnaligned(as: UInt64.self).littleEndian
    }

    @inline(__always)
    static func bucket(prefix: UInt64, suffix: UInt64, length: Int, of count: Int) -> Int {
        var hash = (prefix ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        hash = (hash ^ suffix) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: (hash ^ hash >> 29) >> 16) & (count - 1)
    }

    @inline(__always)
    private func isEntry(_ index: Int, prefix: UInt64, start: UnsafePointer<UInt8>, count: Int) -> Bool {
        let entry = entries + index
        guard entry.pointee.prefix == prefix, entry.pointee.length == count else { return false }
        return count <= 8
            || Bytes.areEqual(
                UnsafeBufferPointer(start: start + 8, count: count - 8),
                UnsafeBufferPointer(start: entry.pointee.bytes + 8, count: count - 8))
    }

    /// Returns the index of a name; -1 if it is not in the table.
    ///
    /// - Parameters:
    ///   - hint: The index to try first.
    ///   - end: The end of the readable bytes.
    @inline(__always)
    func find(_ start: UnsafePointer<UInt8>, _ length: Int, end: UnsafePointer<UInt8>, hint: Int = 0) -> Int {
        let prefix = Self.prefix(start, length, end: end)
        if hint < count, isEntry(hint, prefix: prefix, start: start, count: length) { return hint }
        return search(prefix: prefix, start: start, length: length)
    }

    func find(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = name.baseAddress else {
            return search(prefix: 0, start: UnsafePointer(bitPattern: 16).unsafelyUnwrapped, length: 0)
        }
        return find(start, name.count, end: start + name.count)
    }

    private func search(prefix: UInt64, start: UnsafePointer<UInt8>, length: Int) -> Int {
        if bucketCount == 0 {
            for index in 0..<count where isEntry(index, prefix: prefix, start: start, count: length) { return index }
            return -1
        }
        var index = buckets[
            Self.bucket(prefix: prefix, suffix: Self.suffix(start, length), length: length, of: bucketCount)]
        while index.exists {
            if isEntry(Int(index), prefix: prefix, start: start, count: length) { return Int(index) }
            index = entries[Int(index)].next
        }
        return -1
    }
}

final class NameTableMemory: Sendable {
    let table: NameTable
    private let entries: FlatArray<NameTable.Entry>
    private let buckets: FlatArray<ProgramIndex>
    private let pool: FlatArray<UInt8>

    init(_ names: [(name: [UInt8], node: ProgramIndex)]) {
        let pool = FlatArray(names.flatMap(\.name))
        let bucketCount = names.count <= 8 ? 0 : 1 << (Int.bitWidth - (names.count * 2 - 1).leadingZeroBitCount)
        var buckets = [ProgramIndex](repeating: .none, count: bucketCount)
        var entries: [NameTable.Entry] = []
        var offset = 0
        for (index, entry) in names.enumerated() {
            let bytes = UnsafeBufferPointer(start: pool.base + offset, count: entry.name.count)
            let prefix = NameTable.prefix(bytes)
            var next = ProgramIndex.none
            if bucketCount > 0 {
                let suffix = NameTable.suffix(pool.base + offset, entry.name.count)
                let bucket = NameTable.bucket(prefix: prefix, suffix: suffix, length: entry.name.count, of: bucketCount)
                next = buckets[bucket]
                buckets[bucket] = ProgramIndex(index)
            }
            entries.append(
                NameTable.Entry(
                    prefix: prefix, length: entry.name.count, bytes: pool.base + offset, node: entry.node, next: next))
            offset += entry.name.count
        }
        self.pool = pool
        self.entries = FlatArray(entries)
        self.buckets = FlatArray(buckets)
        table = NameTable(
            entries: self.entries.base, count: names.count, buckets: self.buckets.base, bucketCount: bucketCount)
    }

    func name(_ index: Int) -> String {
        let entry = table.entries[index]
        return String(decoding: UnsafeBufferPointer(start: entry.bytes, count: entry.length), as: UTF8.self)
    }
}
