internal import Foundation

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
