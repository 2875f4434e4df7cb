internal import Foundation

/// Numbers byte strings 0, 1, 2 … in the order in which they are first asked for.
struct ByteTable {
    private(set) var keys: [[UInt8]] = []
    private var hashes: [UInt64] = []
    /// Indices of keys plus one, by the lowest bits of their hashes; 0 for a free place. A power of two, never full.
    private var places: [Int32] = Array(repeating: 0, count: 16)

    /// The number of a key, which is added unless it is there.
    @inline(__always)
    mutating func index(of key: UnsafeRawBufferPointer) -> Int {
        let hash = ByteHash.of(key)
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if hashes[index] == hash, isKey(index, key) { return index }
            place = (place + 1) & (places.count - 1)
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
        if keys.count * 2 > places.count {
            places = Array(repeating: 0, count: places.count * 4)
            for index in hashes.indices { insert(index) }
        } else {
            insert(keys.count - 1)
        }
        return keys.count - 1
    }

    private mutating func insert(_ index: Int) {
        var place = Int(truncatingIfNeeded: hashes[index]) & (places.count - 1)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = Int32(index + 1)
    }
}
