internal import Foundation

/// Assigns indices 0, 1, 2 … to byte strings in order of first use.
struct ByteTable {
    private(set) var keys: [[UInt8]] = []
    private var hashes: [UInt64] = []
    /// Indices of keys plus one, by the lowest bits of their hashes; 0 for a free slot. The count is a power of two.
    private var positions: [Int32] = Array(repeating: 0, count: 16)

    /// The index of a key, which is added if necessary.
    @inline(__always)
    mutating func index(of key: UnsafeRawBufferPointer) -> Int {
        let hash = ByteHash.of(key)
        var position = Int(truncatingIfNeeded: hash) & (positions.count - 1)
        while positions[position] != 0 {
            let index = Int(positions[position]) - 1
            if hashes[index] == hash, isKey(index, key) { return index }
            position = (position + 1) & (positions.count - 1)
        }
        return add(key, hash)
    }

    @inline(__always)
    private func isKey(_ index: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        keys[index].withUnsafeBytes { known in
            guard let left = known.baseAddress, let right = key.baseAddress else { return known.isEmpty && key.isEmpty }
            return known.count == key.count && memcmp(left, right, key.count) == 0
        }
    }

    @inline(never)
    private mutating func add(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        keys.append(Array(key))
        hashes.append(hash)
        if keys.count * 2 > positions.count {
            positions = Array(repeating: 0, count: positions.count * 4)
            for index in hashes.indices { insert(index) }
        } else {
            insert(keys.count - 1)
        }
        return keys.count - 1
    }

    private mutating func insert(_ index: Int) {
        var position = Int(truncatingIfNeeded: hashes[index]) & (positions.count - 1)
        while positions[position] != 0 { position = (position + 1) & (positions.count - 1) }
        positions[position] = Int32(index + 1)
    }
}

/// A 64-bit hash that is the same in every run and on every machine, which makes approximate figures reproducible. It
/// does not resist chosen collisions; only counts depend on it.
enum ByteHash {
    @inline(__always)
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: bytes.count)
        var at = 0
        while at + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            hash = mixed(hash ^ UInt64(littleEndian: word))
            at += 8
        }
        var rest: UInt64 = 0
        while at < bytes.count {
            rest = rest << 8 | UInt64(bytes[at])
            at += 1
        }
        return mixed(hash ^ rest)
    }

    /// The finalizer of MurmurHash3.
    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
