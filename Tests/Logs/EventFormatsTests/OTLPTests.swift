import EventFormats
import Foundation
import JSONLines
import Testing

@Suite("OTLP")
struct OTLPTests {
    private static func requests(_ lines: [String]) throws -> [JSONValue] {
        try formatted(lines, .otlp).split(separator: "\n").map { try JSONParser.parse($0.utf8) }
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements) = value { elements } else { [] }
    }

    @Test("puts up to 512 events of one install and context into a request")
    func batches() throws {
        let lines = (0..<1030).map { #"{"install_id":"\#($0 / 400)","seq":\#($0),"event":{"name":"x"}}"# }
        let requests = try Self.requests(lines)
        let counts = requests.map { request in
            Self.elements(request["resourceLogs"]).map { resource in
                Self.elements(resource["scopeLogs"]).map { Self.elements($0["logRecords"]).count }
            }
        }
        #expect(counts == [[[400], [112]], [[288], [224]], [[6]]])
        #expect(try Self.requests([]).isEmpty)
    }

    @Test("ends a request before it exceeds a megabyte")
    func bytes() throws {
        let text = String(repeating: "x", count: 400_000)
        let lines = (0..<5).map { #"{"seq":\#($0),"user_id":"\#(text)"}"# }
        let sizes = try formatted(lines, .otlp).split(separator: "\n").map(\.utf8.count)
        #expect(sizes.count == 3)
        #expect(sizes.allSatisfy { $0 < 1 << 20 })
    }

    @Test("gives every value its type, and every attribute a unique name")
    func values() throws {
        let line =
            #"{"time":-1,"added":{"a":[1,null]},"event":{"name":"x","more":true,"#
            + #""value":{"i":-0,"l":9223372036854775808,"d":1.50,"h":1e400,"s":"a\n","b":false,"o":{}}}}"#
        let record = try #require(
            try Self.elements(
                Self.elements(Self.elements(Self.requests([line])[0]["resourceLogs"])[0]["scopeLogs"])[0]["logRecords"]
            ).first)
        #expect(record["timeUnixNano"] == nil)
        #expect(record["eventName"] == "x")
        #expect(
            Self.elements(record["attributes"]) == [
                ["key": "tracking.time", "value": ["intValue": "-1"]],
                [
                    "key": "tracking.added",
                    "value": [
                        "kvlistValue": [
                            "values": [["key": "a", "value": ["arrayValue": ["values": [["intValue": "1"], [:]]]]]]
                        ]
                    ],
                ],
                ["key": "event.value.i", "value": ["intValue": "0"]],
                ["key": "event.value.l", "value": ["doubleValue": .number(9_223_372_036_854_775_808)]],
                ["key": "event.value.d", "value": ["doubleValue": 1.5]],
                ["key": "event.value.h", "value": ["stringValue": "1e400"]],
                ["key": "event.value.s", "value": ["stringValue": "a\n"]],
                ["key": "event.value.b", "value": ["boolValue": false]],
                ["key": "event.value.o", "value": ["kvlistValue": ["values": []]]],
                [
                    "key": "tracking.event",
                    "value": ["kvlistValue": ["values": [["key": "more", "value": ["boolValue": true]]]]],
                ],
            ])
    }

    @Test("never repeats an attribute, whatever the line")
    func names() throws {
        var random = RandomLines(seed: 6)
        let lines = (0..<300).map { _ in random.object() }
        for request in try formatted(lines, .otlp).split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(request.utf8)) as? [String: Any])
            for resource in try #require(object["resourceLogs"] as? [[String: Any]]) {
                for scope in try #require(resource["scopeLogs"] as? [[String: Any]]) {
                    for record in try #require(scope["logRecords"] as? [[String: Any]]) {
                        let keys = try #require(record["attributes"] as? [[String: Any]]).compactMap {
                            $0["key"] as? String
                        }
                        #expect(Set(keys.map { Array($0.utf8) }).count == keys.count)
                    }
                }
            }
        }
    }
}
