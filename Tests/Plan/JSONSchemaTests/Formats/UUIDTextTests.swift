import Testing

@testable import JSONSchema

@Suite("UUIDs")
struct UUIDTextTests {
    @Test("Every byte must be a digit or a hyphen in its position")
    func everyByte() {
        let text = Array("0123abCD-45ef-67AB-89cd-EF0123456789".utf8)
        for location in text.indices {
            let isHyphen = [8, 13, 18, 23].contains(location)
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[location] = byte
                let isHexDigit = Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
                let isGood = changed.withUnsafeBufferPointer { StringFormat.uuid.accepts($0) }
                #expect(isGood == (isHyphen ? byte == UInt8(ascii: "-") : isHexDigit), "\(byte) at \(location)")
            }
        }
    }

    @Test("UUIDs of any version are accepted")
    func tables() {
        let table = FormatTable(
            format: .uuid,
            good: [
                "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
                "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "0190163d-8694-739b-aea5-966c26f8ad91",
                "12345678-1234-f234-0234-123456789abc",
            ],
            bad: [
                "", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000",
                "{00000000-0000-0000-0000-000000000000}", "urn:uuid:00000000-0000-0000-0000-000000000000",
                "00000000000000000000000000000000", "000000000000-0000-0000-0000-00000000",
                "0000000-00000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000g",
                "00000000-0000-0000-0000-00000000000-", "-0000000-0000-0000-0000-000000000000",
                "00000000_0000_0000_0000_000000000000", "0000000\u{660}-0000-0000-0000-0000000000",
            ])
        #expect(table.misjudged == [])
    }
}
