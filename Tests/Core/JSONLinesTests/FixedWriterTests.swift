import Testing

@testable import JSONLines

/// A writer over external memory.
@Suite("JSONWriter over memory")
struct FixedWriterTests {
    private struct Event: Encodable {
        let text = "plain, \"quoted\" \\ \u{1} and\nlong enough for words of sixteen bytes"
        let numbers = [0.1, 1e300, -17, 123_456_789.25]
        let counts = ["b": UInt64.max, "a": 0]
        let set: Set = [3, 1, 2]
        let list: [JSONValue] = [nil, true, ["k": [1, "x"]]]
    }

    private func write(_ json: inout JSONWriter) throws {
        json.beginObject()
        json.key("key\t")
        json.string("a\"b")
        json.key("long key of more than sixteen bytes")
        json.string("short")
        json.key("tail")
        json.string("name\n", tail: 3) { $0.copyBytes(from: "1-0".utf8) }
        json.key("numbers")
        json.beginArray()
        json.integer(Int64.min)
        json.integer(UInt128.max)
        json.seconds(microseconds: -1_500_001)
        _ = json.number(Double.pi)
        _ = json.number(Float.pi)
        json.null()
        json.bool(false)
        json.value(Array("{}".utf8))
        json.plainString("plain".utf8)
        json.endArray()
        json.key("event" as String)
        try JSONLineEncoder.write(Event(), to: &json)
        json.endObject()
    }

    @Test("never writes past the end, and reports the overflow")
    func everyCapacity() throws {
        var growing = JSONWriter(capacity: 0)
        try write(&growing)
        let wanted = growing.bytes
        #expect(try JSONParser.parse(wanted)["event"] != nil)
        let canaries = 64
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted.count + canaries, alignment: 1)
        defer { memory.deallocate() }
        for capacity in 0...wanted.count {
            for index in memory.indices { memory[index] = 0xA5 }
            var json = JSONWriter(over: UnsafeMutableRawBufferPointer(rebasing: memory[..<capacity]))
            try write(&json)
            let (overflowed, count) = (json.overflowed, json.count)
            try #require(overflowed == (capacity < wanted.count))
            try #require(count <= capacity)
            let isUntouched = memory[capacity...].allSatisfy { $0 == 0xA5 }
            try #require(isUntouched)
            if !overflowed { try #require(memory[..<capacity].elementsEqual(wanted)) }
        }
    }

    @Test("has room again after it was emptied or rewound")
    func again() throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { memory.deallocate() }
        var json = JSONWriter(over: memory)
        json.beginArray()
        let mark = json.mark
        json.string("much too long")
        json.integer(1)
        let overflowed = json.overflowed
        #expect(overflowed)
        json.rewind(to: mark)
        json.integer(2)
        json.endArray()
        let (bytes, isWhole) = (json.bytes, !json.overflowed)
        #expect(bytes == Array("[2]".utf8) && isWhole)
        json.removeAll()
        json.integer(12_345_678)
        let (number, fits) = (json.bytes, !json.overflowed)
        #expect(number == Array("12345678".utf8) && fits)
    }

    @Test("overflows without memory")
    func empty() {
        var json = JSONWriter(over: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        json.null()
        let (overflowed, count) = (json.overflowed, json.count)
        #expect(overflowed && count == 0)
    }
}
