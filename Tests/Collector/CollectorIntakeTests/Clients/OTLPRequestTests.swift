import DeliveryProtocol
import JSONLines
import Testing

@testable import CollectorIntake

// `tools/checks/clients` compares the reader with the protobuf library for Python.
@Suite("OTLP log records")
struct OTLPRequestTests {
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(bytes.count)] + bytes
    }

    private static func text(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

    private static func fixed(_ number: UInt8, _ value: UInt64) -> [UInt8] {
        [number << 3 | 1] + withUnsafeBytes(of: value.littleEndian, Array.init)
    }

    private static func pair(_ key: String, _ value: [UInt8]) -> [UInt8] { text(1, key) + field(2, value) }

    private static func request(_ record: [UInt8], resource: [UInt8] = []) -> [UInt8] {
        field(1, field(1, resource) + field(2, field(1, text(1, "scope")) + field(2, record)))
    }

    private static func messages(_ body: [UInt8]) throws -> [ClientMessage] {
        try OTLPRequest(body, type: "application/x-protobuf").messages
    }

    @Test("Every field of a record is read")
    func record() throws {
        let body = Self.field(5, Self.field(1, Self.text(1, "a")) + Self.field(1, [0x10, 1]))
        let record =
            Self.fixed(1, 1_700_000_000_123_456_789) + [0x10, 9] + Self.text(3, "INFO") + Self.field(5, body)
            + Self.field(6, Self.pair("n", [0x18, 7])) + Self.field(6, Self.pair("n", [0x18, 8]))
            + [0x38, 2] + [0x45, 1, 0, 0, 0] + Self.field(9, [0x0A, 0xFF]) + Self.field(10, [1])
            + Self.fixed(11, 5000) + Self.text(12, "order")
        let messages = try Self.messages(
            Self.request(record, resource: Self.field(1, Self.pair("service.name", Self.text(1, "shop")))))
        #expect(messages.count == 1)
        #expect(messages[0].id == nil)
        #expect(messages[0].bytes == record)
        let expected = #"""
            {"time_us":1700000000123456,"time_unix_nano":"1700000000123456789","severity_number":9,
            "severity_text":"INFO","body":["a",true],"attributes":{"n":8},"dropped_attributes_count":2,"flags":1,
            "trace_id":"0aff","span_id":"01","observed_time_us":5,"observed_time_unix_nano":"5000",
            "event_name":"order","resource":{"service.name":"shop"},"scope":{"name":"scope"}}
            """#
        #expect(messages[0].members.map { JSONValue.object($0) } == (try JSONParser.parse(expected.utf8)))
    }

    @Test("Lists in many parts are merged in linear time", .timeLimit(.minutes(5)))
    func parts() throws {
        // If each part copied the earlier elements, this would run for hours.
        let count = 200_000
        let list = [UInt8]((0..<count).flatMap { _ in Self.field(5, Self.field(1, [])) })
        let map = [UInt8](
            (0..<count).flatMap { index in Self.field(6, Self.field(1, Self.pair("\(index)", [0x10, 1]))) })
        for (bytes, isList) in [(list, true), (map, false)] {
            let record = Self.long(5, bytes)
            let body = try Self.messages(Self.long(1, Self.long(2, Self.long(2, record)))).first?.members?["body"]
            switch body {
            case .array(let elements)?: #expect(isList && elements.count == count)
            case .object(let members)?: #expect(!isList && members.count == count)
            default: Issue.record("no list")
            }
        }
    }

    @Test("Records beyond the limit are 413, and are not read")
    func tooMany() throws {
        let body = Self.field(1, Self.field(2, Self.field(2, []) + Self.field(2, []) + Self.field(2, [])))
        func count(_ maximum: Int) throws -> Int {
            try OTLPRequest(body, type: "application/x-protobuf", maximumMessages: maximum).messages.count
        }
        #expect(try count(3) == 3)
        let problem = #expect(throws: DeliveryProblem.self) { try count(2) }
        #expect(problem?.code == .tooLarge && problem?.detail.contains("more than 2 messages") == true)
    }

    /// A field with more than 127 bytes.
    private static func long(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = bytes.count
        while rest >= 0x80 {
            length.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return [number << 3 | 2] + length + [UInt8(rest)] + bytes
    }

    @Test(
        "Values become JSON; what JSON can't hold becomes a string",
        arguments: [
            ([0x18] + [UInt8](repeating: 0xFF, count: 9) + [1], "-1"),
            ([0x18] + [UInt8](repeating: 0xFF, count: 8) + [0x7F], #""9223372036854775807""#),
            ([0x21, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F], #""NaN""#),
            ([0x21, 0, 0, 0, 0, 0, 0, 0xF0, 0xFF], #""-Infinity""#),
            ([0x21, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], "1.5"), ([0x3A, 2, 0, 0xFF], #""AP8=""#),
            ([0x32, 0], "{}"), ([0x2A, 0], "[]"), ([0x10, 0], "false"),
            // The last alternative counts; parts of one list are merged.
            ([0x10, 1, 0x18, 4], "4"), ([0x2A, 4, 0x0A, 2, 0x10, 1, 0x2A, 4, 0x0A, 2, 0x10, 0], "[true,false]"),
        ] as [([UInt8], String)])
    func values(any: [UInt8], json: String) throws {
        let messages = try Self.messages(Self.request(Self.field(5, any)))
        #expect(messages[0].members?["body"] == (try JSONParser.parse(json.utf8)))
    }

    @Test(
        "Unknown fields and groups are skipped",
        arguments: [
            [0xF8, 0x07, 1], [0xFB, 0x07, 0x08, 1, 0xFC, 0x07], [0x08, 1], [0xFA, 0x07, 1, 0xFF],
        ] as [[UInt8]])
    func unknown(bytes: [UInt8]) throws {
        #expect(
            try Self.messages(Self.request(bytes + Self.text(12, "order")))[0].members?["event_name"] == "order")
    }

    @Test(
        "Damaged messages are an error",
        arguments: [
            [0x0A], [0x0A, 5, 1], [0x00, 1], [0x0F], [0xFB, 0x07], [0xFC, 0x07], [0xFB, 0x07, 0x0C],
            [0x08] + [UInt8](repeating: 0xFF, count: 10) + [0], [0x0B],
            // Text that is not UTF-8.
            [0x0A, 3, 0x1A, 1, 0xFF],
        ] as [[UInt8]])
    func damaged(bytes: [UInt8]) {
        #expect(throws: DeliveryProblem.self) { try Self.messages(bytes) }
    }

    @Test("Values nested deeper than 100 levels are an error")
    func depth() throws {
        func nested(_ levels: Int) -> [UInt8] {
            (0..<levels).reduce([0x10, 1]) { inner, _ in
                func counted(_ bytes: [UInt8]) -> [UInt8] {
                    let count = bytes.count
                    return (count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]) + bytes
                }
                return [0x2A] + counted([0x0A] + counted(inner))
            }
        }
        #expect(throws: Never.self) { try LogRecordsFixture.body(nested(40)) }
        #expect(throws: (any Error).self) { try LogRecordsFixture.body(nested(200)) }
    }

    @Test("Responses are messages, too")
    func responses() {
        #expect(OTLPRequest.response(rejected: 0, message: "") == [])
        #expect(OTLPRequest.response(rejected: 300, message: "a") == [0x0A, 6, 0x08, 0xAC, 0x02, 0x12, 1, 0x61])
        #expect(OTLPRequest.status("ab") == [0x12, 2, 0x61, 0x62])
    }

    @Test("Other media types are refused", arguments: [nil, "application/json", "application/grpc"])
    func media(type: String?) {
        #expect(throws: DeliveryProblem.self) { try OTLPRequest([], type: type) }
    }

    private enum LogRecordsFixture {
        /// Reads a request whose only record has this body.
        static func body(_ any: [UInt8]) throws {
            func counted(_ bytes: [UInt8]) -> [UInt8] {
                let count = bytes.count
                return (count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]) + bytes
            }
            _ = try LogRecords([0x0A] + counted([0x12] + counted([0x12] + counted([0x2A] + counted(any)))))
        }
    }
}
