import EventModel
import Testing

@Suite("EventID")
struct EventIDTests {
    @Test("the text has each nibble at its position")
    func text() {
        let id = EventID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        #expect(id.description == "01234567-89ab-cdef-fedc-ba9876543210")
        #expect(EventID(high: 0, low: .max).description == "00000000-0000-0000-ffff-ffffffffffff")
    }

    @Test("reads its own output")
    func roundTrip() {
        var bits: UInt64 = 1
        for _ in 0..<1000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let id = EventID(high: bits, low: bits.byteSwapped)
            #expect(EventID(id.text) == id)
            #expect(EventID(id.description) == id)
        }
    }

    @Test("writes its text only to a buffer of at least 36 bytes")
    func buffers() {
        let id = EventID(high: 7, low: 9)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 40, alignment: 1)
        defer { memory.deallocate() }
        for size in 34...40 {
            for index in memory.indices { memory[index] = 0xA5 }
            let count = id.writeText(to: UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
            #expect(count == (size < 36 ? 0 : 36))
            let isWritten = memory[..<count].elementsEqual(id.text.prefix(count))
            let isUntouched = memory[count...].allSatisfy { $0 == 0xA5 }
            #expect(isWritten && isUntouched)
        }
    }
}
