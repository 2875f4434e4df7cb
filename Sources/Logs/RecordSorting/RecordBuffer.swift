/// Records in memory, to be sorted there.
final class RecordBuffer {
    private struct Entry {
        /// The first eight bytes of the key, as a number of the same order.
        let prefix: UInt64
        let start: UInt32
    }

    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var used = 0
    private var entries: [Entry] = []

    deinit { memory.deallocate() }

    var count: Int { entries.count }
    /// The bytes that the records take, and what is kept to sort them.
    var size: Int { used + entries.count * MemoryLayout<Entry>.stride }

    func append(key: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer) {
        var prefix: UInt64 = 0
        for place in 0..<8 { prefix = prefix << 8 | (place < key.count ? UInt64(key[place]) : 0) }
        entries.append(Entry(prefix: prefix, start: UInt32(used)))
        let length = RecordLayout.headLength + key.count + payload.count
        if used + length > memory.count { grow(to: used + length) }
        guard let start = memory.baseAddress else { return }
        RecordLayout.store(key: key, payload: payload, at: start + used)
        used += length
    }

    private func grow(to needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, memory.count + memory.count / 2), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
        memory.deallocate()
        memory = larger
    }

    /// Sorts by the keys' bytes.
    func sort() {
        guard let start = memory.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
        entries.sort { left, right in
            guard left.prefix == right.prefix else { return left.prefix < right.prefix }
            return SortedRecord.precedes(
                RecordLayout.record(start + Int(left.start)).key, RecordLayout.record(start + Int(right.start)).key)
        }
    }

    /// A record by its place in the order; good until one is added or all are dropped. `nil` past the last one.
    func record(_ place: Int) -> SortedRecord? {
        guard entries.indices.contains(place), let start = memory.baseAddress else { return nil }
        return RecordLayout.record(UnsafeRawPointer(start + Int(entries[place].start)))
    }

    /// Drops all records, and keeps the memory.
    func removeAll() {
        used = 0
        entries.removeAll(keepingCapacity: true)
    }
}
