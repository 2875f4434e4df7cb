import Testing

@testable import JSONLines

@Suite("JSONWriter")
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("commas are written only between values")
    func structure() {
        let result = text { json in
            json.beginObject()
            json.key("a")
            json.beginArray()
            json.integer(1)
            json.beginObject()
            json.endObject()
            json.beginArray()
            json.endArray()
            json.null()
            json.endArray()
            json.key("b")
            json.bool(true)
            json.key("c\n")
            json.value(Array("{}".utf8))
            json.endObject()
        }
        #expect(result == #"{"a":[1,{},[],null],"b":true,"c\n":{}}"#)
    }

    @Test(
        "strings escape only what they must",
        arguments: [
            ("", #""""#), ("plain / ünïcödé 🌊", #""plain / ünïcödé 🌊""#), ("\"\\", #""\"\\""#),
            ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
            ("e\u{301}", "\"e\u{301}\""),
        ])
    func strings(value: String, expected: String) {
        let written = text { $0.string(value) }
        #expect(written == expected)
    }

    @Test("integers keep all bits")
    func integers() {
        let written = text { json in
            json.beginArray()
            json.integer(Int64.min)
            json.integer(UInt64.max)
            json.integer(Int8(-9))
            json.integer(10)
            json.endArray()
        }
        #expect(written == "[-9223372036854775808,18446744073709551615,-9,10]")
    }

    @Test("integers of 128 bits don't trap")
    func wideIntegers() {
        #expect(text { $0.integer(Int128.min) } == "-170141183460469231731687303715884105728")
        #expect(text { $0.integer(UInt128.max) } == "340282366920938463463374607431768211455")
        #expect(text { $0.integer(Int128(-7)) } == "-7")
    }

    @Test(
        "doubles have the shortest form that reads back as the same value",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-17.5, "-17.5"), (0.1, "0.1"), (1e21, "1e+21"),
            (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"), (9007199254740992, "9007199254740992"),
        ])
    func doubles(value: Double, expected: String) {
        let written = text { _ = $0.number(value) }
        #expect(written == expected)
        #expect(Double(written) == value)
    }

    @Test("doubles are written like the standard library's descriptions, at any magnitude")
    func manyDoubles() {
        var random = SeededGenerator(state: 3)
        var json = JSONWriter()
        for round in 0..<30_000 {
            let bits = random.next()
            let value =
                switch round % 5 {
                case 0: Double(bitPattern: bits)
                case 1: Double(Int64(bitPattern: bits) >> Int64(bits & 63))
                case 2: Double(Int64(bitPattern: bits) >> 14) / 1_000_000
                case 3: (Double(Int32(truncatingIfNeeded: bits)) / 100).nextUp
                default: Double(bits % 100_000) / 10_000_000
                }
            guard value.isFinite else { continue }
            json.removeAll()
            let isWritten = json.number(value)
            var expected = value.description
            if expected.hasSuffix(".0") { expected.removeLast(2) }
            let written = String(decoding: json.bytes, as: UTF8.self)
            #expect(isWritten && written == expected)
        }
    }

    @Test("bytes that need an escape are escaped at any position")
    func everyPlace() {
        for length in 0..<40 {
            for place in 0..<max(length, 1) {
                for byte in [0x22, 0x5C, 0x0A, 0x1F, 0x20, 0x7F, 0x21, 0x23] as [UInt8] {
                    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    if length > 0 { bytes[place] = byte }
                    let value = String(decoding: bytes, as: UTF8.self)
                    let written = text { $0.string(value) }
                    let parsed = try? JSONParser.parse(written.utf8)
                    #expect(parsed == .string(value))
                }
            }
        }
    }

    @Test("NaN and the infinities are rejected without output", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) {
        var json = JSONWriter()
        let results = [json.number(value), json.number(Float(value))]
        #expect(results == [false, false])
        #expect(json.bytes.isEmpty)
    }

    @Test(
        "microseconds become seconds with as many decimals as they need",
        arguments: [
            (0, "0"), (1, "0.000001"), (1_000_000, "1"), (1_500_000, "1.5"),
            (1_536_753_247_351_338, "1536753247.351338"),
            (1_000_010, "1.00001"), (-1, "-0.000001"), (-2_500_000, "-2.5"), (.max, "9223372036854.775807"),
            (.min, "-9223372036854.775808"),
        ] as [(Int64, String)])
    func seconds(microseconds: Int64, expected: String) {
        let written = text { $0.seconds(microseconds: microseconds) }
        #expect(written == expected)
    }
}
