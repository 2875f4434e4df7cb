import Testing

@testable import JSONSchema

@Suite("String formats")
struct StringFormatTests {
    @Test("Formats are found by name", arguments: StringFormat.allCases)
    func names(_ format: StringFormat) {
        #expect(StringFormat(name: format.name) == format)
        #expect(StringFormat(name: Substring(format.name)) == format)
        #expect(StringFormat(name: format.name + "s") == nil)
    }

    @Test("Unchecked formats are not found", arguments: ["idn-email", "idn-hostname", "", "Date", "colour"])
    func unknownNames(_ name: String) {
        #expect(StringFormat(name: name) == nil)
    }

    @Test("Checking a prefix never reads past its end", arguments: StringFormat.allCases)
    func beginnings(_ format: StringFormat) {
        let samples = [
            "2024-02-29T23:59:60.123456+00:00", "P1Y2M3DT4H5M6S", "123e4567-e89b-12d3-a456-426614174000",
            "http://user@[v1.a]:80/%41?q#f", "{+a,b:12*,%41}", "\"a\\\"b\"@[IPv6:::1]", "xn--bcher-kva.example",
            "1:2::3:4.5.6.7", "/a~0~1", "10+2/a", "\u{E4}\u{20AC}\u{1F600}",
        ]
        for sample in samples {
            let bytes = Array(sample.utf8)
            for count in 0...bytes.count {
                // A separate buffer, so that a sanitizer detects reads past its end.
                let part = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
                defer { part.deallocate() }
                _ = part.update(fromContentsOf: bytes[..<count])
                let whole = String(decoding: bytes[..<count], as: UTF8.self)
                #expect(format.accepts(UnsafeBufferPointer(part)) == FormatTable.accepts(format, whole) || count == 0)
            }
        }
    }

    @Test("The regex format accepts valid patterns of any size")
    func patterns() {
        #expect(FormatTable.accepts(.regex, "^(a|b)$") && !FormatTable.accepts(.regex, "("))
        #expect(FormatTable.accepts(.regex, "a{100000}") && !FormatTable.accepts(.regex, "a{2,1}"))
        let open = String(repeating: "(", count: 100_000)
        let close = String(repeating: ")", count: 100_000)
        #expect(FormatTable.accepts(.regex, open + close) && !FormatTable.accepts(.regex, open))
        let letters = String(repeating: #"\p{L}"#, count: 20_000)
        #expect(FormatTable.accepts(.regex, "[\(letters)]") && !FormatTable.accepts(.regex, "[\(letters)"))
    }
}
