import Testing

@testable import JSONSchema

@Suite("Name tables")
struct NameTableTests {
    @Test("Long names with a common prefix are found", arguments: [9, 64, 2000])
    func finding(_ count: Int) {
        for form in ["product-%", "%-product", "a%", "%"] {
            let names = (0..<count).map { number in
                let digits = String(number)
                return Array(
                    form.replacing("%", with: String(repeating: "0", count: 6 - digits.count) + digits).utf8)
            }
            let memory = NameTableMemory(names.map { ($0, .none) })
            for (location, name) in names.enumerated() {
                name.withUnsafeBufferPointer { #expect(memory.table.find($0) == location) }
                (name + [0]).withUnsafeBufferPointer { #expect(memory.table.find($0) == -1) }
            }
            #expect(memory.longestChain <= 12, "\(form)")
        }
    }
}

extension NameTableMemory {
    /// The number of names in the fullest bucket.
    fileprivate var longestChain: Int {
        (0..<table.bucketCount).map { bucket in
            var count = 0
            var index = table.buckets[bucket]
            while index.exists {
                count += 1
                index = table.entries[Int(index)].next
            }
            return count
        }.max() ?? 0
    }
}
