internal import Foundation

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
        for location in 0..<8 { prefix = prefix << 8 | (location < key.count ? UInt64(key[location]) : 0) }
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
    func record(_ location: Int) -> SortedRecord? {
        guard entries.indices.contains(location), let start = memory.baseAddress else { return nil }
        return RecordLayout.record(UnsafeRawPointer(start + Int(entries[location].start)))
    }

    /// Drops all records, and keeps the memory.
    func removeAll() {
        used = 0
        entries.removeAll(keepingCapacity: true)
    }
}

/// A record of a sorted sequence, where its bytes lie: good until the next one is asked for.
package struct SortedRecord {
    /// All of it, as it lies there.
    let bytes: UnsafeRawBufferPointer
    /// What it is sorted by.
    package let key: UnsafeRawBufferPointer
    /// What goes with the key.
    package let payload: UnsafeRawBufferPointer

    /// Whether a key stands before another in the order of their bytes; of two that begin alike, the shorter.
    static func precedes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count < right.count }
        let order = memcmp(first, second, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
    }
}

/// How a record lies in memory and in a temporary file: two lengths of 32 bits, the key, the payload.
enum RecordLayout {
    static let headLength = 8

    /// Puts a record where there is room for it.
    static func store(key: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer) {
        start.storeBytes(of: UInt32(key.count), as: UInt32.self)
        start.storeBytes(of: UInt32(payload.count), toByteOffset: 4, as: UInt32.self)
        let room = UnsafeMutableRawBufferPointer(start: start + headLength, count: key.count + payload.count)
        room.copyMemory(from: key)
        UnsafeMutableRawBufferPointer(rebasing: room[key.count...]).copyMemory(from: payload)
    }

    /// How long the record is whose head lies there.
    @inline(__always)
    static func length(_ head: UnsafeRawPointer) -> Int {
        headLength + Int(head.loadUnaligned(as: UInt32.self))
            + Int(head.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }

    /// The record that lies there.
    @inline(__always)
    static func record(_ head: UnsafeRawPointer) -> SortedRecord {
        let key = Int(head.loadUnaligned(as: UInt32.self))
        let payload = Int(head.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let start = head + headLength
        return SortedRecord(
            bytes: UnsafeRawBufferPointer(start: head, count: headLength + key + payload),
            key: UnsafeRawBufferPointer(start: start, count: key),
            payload: UnsafeRawBufferPointer(start: start + key, count: payload))
    }
}
