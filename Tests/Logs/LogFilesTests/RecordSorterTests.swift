import Testing

@testable import LogFiles

@Suite("Sorting records within a memory limit")
struct RecordSorterTests {
    /// Adds records, and gives them back in their order.
    private func sorted(_ records: [(key: [UInt8], payload: [UInt8])], memory: Int) throws -> [[[UInt8]]] {
        let sorter = RecordSorter(memory: memory)
        for (key, payload) in records {
            try key.withUnsafeBytes { key in try payload.withUnsafeBytes { try sorter.append(key: key, payload: $0) } }
        }
        var result: [[[UInt8]]] = []
        var sorted = try sorter.sorted()
        while let record = try sorted.next() { result.append([Array(record.key), Array(record.payload)]) }
        #expect(try sorted.next() == nil)
        return result
    }

    @Test(
        "Order and payloads are the same in memory, in a few runs, and in more runs than are merged at a time",
        arguments: [1 << 20, 8 << 10, 512, 1])
    func orders(memory: Int) throws {
        var state: UInt64 = 7
        let records = (0..<5000).map { number -> (key: [UInt8], payload: [UInt8]) in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let random = state >> 40
            let digits = String(random % 100_000) + "/\(number)"
            return (Array(digits.utf8), Array(repeating: UInt8(truncatingIfNeeded: number), count: Int(random % 40)))
        }
        let expected = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { [$0.key, $0.payload] }
        #expect(try sorted(records, memory: memory) == expected)
    }

    @Test("Keys that share their first eight bytes are compared further; a shorter one comes first")
    func longKeys() throws {
        let keys: [[UInt8]] = [
            Array("12345678b".utf8), Array("12345678".utf8), Array("12345678a".utf8), [], [0], [0xFF], Array("1".utf8),
        ]
        let expected: [[UInt8]] = [[], [0], Array("1".utf8), keys[1], keys[2], keys[0], [0xFF]]
        #expect(try sorted(keys.map { ($0, []) }, memory: 1 << 20).map { $0[0] } == expected)
        #expect(try sorted(keys.map { ($0, []) }, memory: 1).map { $0[0] } == expected)
    }

    @Test("Records longer than a block are returned whole")
    func longRecords() throws {
        let records = (0..<20).reversed().map { number in
            (key: [UInt8(number)], payload: Array(repeating: UInt8(number), count: 100_000 + number))
        }
        #expect(try sorted(records, memory: 300_000) == records.reversed().map { [$0.key, $0.payload] })
    }

    @Test("Sorting no records returns none")
    func nothing() throws { #expect(try sorted([], memory: 1).isEmpty) }
}
