/// Owns the memory of a name table.
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
                let bucket = NameTable.bucket(prefix, suffix, entry.name.count, of: bucketCount)
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

    /// The name at a place.
    func name(_ index: Int) -> String {
        let entry = table.entries[index]
        return String(decoding: UnsafeBufferPointer(start: entry.bytes, count: entry.length), as: UTF8.self)
    }
}
