internal import Foundation

/// Sorts records in memory.
final class RecordBuffer {
    private struct Entry {
        /// The first eight bytes of the key as an integer of the same order.
        let prefix: UInt64
        let start: UInt32
    }

    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var used = 0
    private var entries: [Entry] = []

    deinit { memory.deallocate() }

    var count: Int { entries.count }
    /// The size of the records and their index, in bytes.
    var size: Int { used + entries.count * MemoryLayout<Entry>.stride }

    func append(key: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer) {
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < key.count ? UInt64(key[index]) : 0) }
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

    /// Sorts by the bytes of the keys.
    func sort() {
        guard let start = memory.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
        entries.sort { left, right in
            guard left.prefix == right.prefix else { return left.prefix < right.prefix }
            return SortedRecord.precedes(
                RecordLayout.record(start + Int(left.start)).key, RecordLayout.record(start + Int(right.start)).key)
        }
    }

    /// The record at an index of the sorted order; nil past the last one. Valid until records are added or removed.
    func record(_ index: Int) -> SortedRecord? {
        guard entries.indices.contains(index), let start = memory.baseAddress else { return nil }
        return RecordLayout.record(UnsafeRawPointer(start + Int(entries[index].start)))
    }

    /// Removes all records, and keeps the memory.
    func removeAll() {
        used = 0
        entries.removeAll(keepingCapacity: true)
    }
}

/// A record of a sorted sequence. Its bytes are valid until the next record is read.
package struct SortedRecord {
    let bytes: UnsafeRawBufferPointer
    /// The sort key.
    package let key: UnsafeRawBufferPointer
    package let payload: UnsafeRawBufferPointer

    /// Whether a key sorts before another in byte order; a prefix sorts first.
    static func precedes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count < right.count }
        let order = memcmp(first, second, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
    }
}

/// The layout of records in memory and in temporary files: two 32-bit lengths, the key, the payload.
enum RecordLayout {
    static let headLength = 8

    /// Stores a record at an address with sufficient memory.
    static func store(key: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer) {
        start.storeBytes(of: UInt32(key.count), as: UInt32.self)
        start.storeBytes(of: UInt32(payload.count), toByteOffset: 4, as: UInt32.self)
        let room = UnsafeMutableRawBufferPointer(start: start + headLength, count: key.count + payload.count)
        room.copyMemory(from: key)
        UnsafeMutableRawBufferPointer(rebasing: room[key.count...]).copyMemory(from: payload)
    }

    /// The length of the record at an address.
    @inline(__always)
    static func length(_ head: UnsafeRawPointer) -> Int {
        headLength + Int(head.loadUnaligned(as: UInt32.self))
            + Int(head.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }

    /// The record at an address.
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
