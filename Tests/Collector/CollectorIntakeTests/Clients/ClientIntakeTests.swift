import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import JSONLines
import Testing

@testable import CollectorIntake

@Suite("Events of other systems' messages")
struct ClientIntakeTests {
    private static let now = EventTime(rfc3339: "2026-11-25T10:00:00Z")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let mapping = #"""
        {"install_id":"shop","time":{"from":"timestamp"},"id":{"from":"messageId"},"user_id":{"from":["userId","anonymousId"]},
        "event":{"from":"event"},"skip":[".event == \"Ping\""],"events":{
        "Search":{"name":"search","value":{"query":{"from":"q"},"page":{"from":"page","default":1}}},
        "*":{"name":"other-message","value":{"message":{"whole":true}}}}}
        """#

    private func intake(_ mapping: String = mapping) throws -> ClientIntake {
        try Data(mapping.utf8).write(to: URL(fileURLWithPath: folder.path("segment.json")))
        return ClientIntake(
            Intake(try SchemaKeeper(folder: nil)), try ClientMappings(folder: folder.path("")))
    }

    private func convert(_ messages: [String], _ intake: ClientIntake) throws -> ClientIntake.Result {
        try convert(body: "{\"batch\":[\(messages.joined(separator: ","))]}", intake)
    }

    private func convert(body: String, _ intake: ClientIntake) throws -> ClientIntake.Result {
        try intake.convert(
            try SegmentRequest(Array(body.utf8), call: "batch").messages, of: .segment, app: "app",
            receivedAt: try #require(Self.now), bodyBytes: body.utf8.count)
    }

    private func events(_ result: ClientIntake.Result) throws -> [(json: JSONValue, isValidated: Bool)] {
        try result.portions.flatMap(\.messages).compactMap { message in
            guard case .event(let event) = message.content else { return nil }
            #expect(String(decoding: event.line[event.seq], as: UTF8.self) == "9007199254740991")
            return (try JSONParser.parse(event.line), event.isValidated)
        }
    }

    private static let search =
        #"{"event":"Search","messageId":"1","userId":"u","timestamp":"2018-09-12T11:54:07.351Z","q":"swift"}"#

    @Test("Apps with long names have installs of their own, whose ids have at most 64 characters")
    func longNames() throws {
        let (intake, request) = (try intake(), try SegmentRequest(Array(Self.search.utf8), call: "track"))
        let apps = ["a", "b"].map { String(repeating: "n", count: 63) + $0 } + ["app"]
        let ids = try apps.map { app in
            let result = try intake.convert(
                request.messages, of: .segment, app: app, receivedAt: try #require(Self.now),
                bodyBytes: Self.search.utf8.count)
            return try #require(result.portions.first).installID
        }
        #expect(Set(ids).count == 3 && ids.map(\.count) == [64, 64, 8] && ids.last == "shop:app")
        let namespaces = try ClientMappings(folder: folder.path("")).namespaces
        #expect(namespaces == ["cloudevents:", "otlp:", "segment:", "shop:", "snowplow:"])
        #expect(ids.allSatisfy { $0.hasPrefix("shop:") })
    }

    @Test("A message whose event can't be forwarded is rejected with the limit; its neighbours are stored")
    func maximumLine() throws {
        let long = Self.search.replacing("swift", with: String(repeating: "s", count: 600))
        let request = try SegmentRequest(Array("{\"batch\":[\(Self.search),\(long)]}".utf8), call: "batch")
        let result = try intake().convert(
            request.messages, of: .segment, app: "app", receivedAt: try #require(Self.now), maximumLine: 600,
            bodyBytes: 2000)
        #expect(result.rejected.map(\.index) == [1])
        #expect(result.rejected.first?.reason.contains("600 bytes") == true)
        #expect(try events(result).count == 1)
    }

    /// Messages whose batch has a context of about as many bytes.
    private func batch(messages: Int, contextBytes: Int) -> String {
        let context = String(repeating: "x", count: contextBytes)
        let all = (0..<messages).map { "{\"messageId\":\"\($0)\"}" }.joined(separator: ",")
        return "{\"batch\":[\(all)],\"context\":{\"k\":\"\(context)\"}}"
    }

    @Test("A message that exceeds 32 KiB with what it shares is rejected before it is written")
    func sharedTooLarge() throws {
        // 500 KB for each of 20,000 messages would be 10 GB.
        let result = try convert(body: batch(messages: 20_000, contextBytes: 500_000), try intake())
        #expect(result.rejected.count == 20_000 && result.rejected.allSatisfy { $0.reason == "longer than 32 KiB" })
    }

    @Test("Shared members may make 64 times the work of reading the body; more is 413")
    func budget() throws {
        let few = try convert(body: batch(messages: 5, contextBytes: 30_000), try intake())
        #expect(few.rejected.isEmpty && few.portions.flatMap(\.messages).count == 5)
        let intake = try intake()
        let problem = #expect(throws: DeliveryProblem.self) {
            try convert(body: batch(messages: 1000, contextBytes: 30_000), intake)
        }
        #expect(problem?.code == .tooLarge && problem?.detail.contains("64 times the body's") == true)
    }

    @Test("A message that its mapping and the plan accept becomes the plan's event")
    func mapped() throws {
        let result = try convert([Self.search], try intake())
        let event = try #require(try events(result).first)
        #expect(event.isValidated)
        #expect(event.json["schema"] == "search/1-0-0")
        #expect(event.json["install_id"] == "shop:app")
        #expect(event.json["user_id"] == "u")
        #expect(event.json["time"] == .number(1536753247.351))
        #expect(event.json["event"]?["value"] == .object(["query": "swift", "page": 1]))
    }

    @Test(
        "A message that does not fit is kept whole, with the reason",
        arguments: [
            (#""q":"swift""#, #""q":7"#, "/event/value/query"),
            (#""q":"swift""#, #""r":1"#, "value.query is missing"),
            ("2018-09-12T11:54:07.351Z", "yesterday", "time does not have the format rfc3339"),
            (#""userId":"u""#, #""userId":"""#, "user_id is missing"),
        ])
    func unfit(part: String, other: String, reason: String) throws {
        let text = Self.search.replacing(part, with: other)
        let event = try #require(try events(convert([text], try intake())).first)
        #expect(!event.isValidated)
        #expect(event.json["schema"] == "other-message/1-0-0")
        let value = try #require(event.json["event"]?["value"])
        #expect(value["message"] == (try JSONParser.parse(text.utf8)))
        #expect(value["problem"]?.stringValue?.contains(reason) == true, "\(value)")
    }

    @Test("A message without a time or a user gets the arrival's time, and is anonymous")
    func missing() throws {
        let event = try #require(try events(convert([#"{"event":"Other"}"#], try intake())).first)
        #expect(event.json["time"] == .integer(1_795_600_800))
        #expect(event.json["user_id"] == "anonymous")
        #expect(event.json["event"]?["value"]?["problem"] == nil)
    }

    @Test("Skipped, unreadable and too long messages are rejected with their bytes, at most 32 KiB")
    func rejected() throws {
        let long = #"{"event":"Long","x":"\#(String(repeating: "a", count: 33_000))"}"#
        let deep = "{\"x\":\(String(repeating: "[", count: 20))\(String(repeating: "]", count: 20))}"
        let null = #"{"event":"Other","x":"\u0000"}"#
        let messages = [#"{"event":"Ping"}"#, "7", long, deep, null, Self.search]
        let result = try convert(messages, try intake())
        #expect(result.rejected.map(\.index) == [0, 1, 2, 3, 4])
        let kept = result.portions.flatMap(\.messages).compactMap { message in
            if case .rejected(let code, _, let bytes) = message.content {
                return "\(code) \(String(decoding: bytes, as: UTF8.self))"
            }
            return nil
        }
        #expect(
            kept == [
                "skipped \(messages[0])", "syntax 7", "too-large \(long.prefix(32_768))", "syntax \(deep)",
                "envelope \(null)",
            ])
        #expect(result.rejected[2].reason.hasSuffix("; the first 32768 are kept)"))
    }

    @Test("Many messages are stored in portions of the size of a batch")
    func portions() throws {
        let long = (0..<30).map {
            #"{"event":"Other","messageId":"\#($0)","x":"\#(String(repeating: "a", count: 30_000))"}"#
        }
        let portions = try convert(long, try intake()).portions
        #expect(portions.count == 2 && portions.flatMap(\.messages).count == 30)
        #expect(portions.allSatisfy { $0.messages.reduce(0) { $0 + $1.bytes } <= 500_000 })
    }

    @Test(
        "A mapping that can't be used is reported with its place",
        arguments: [
            (#""*":"#, #""Other":"#, "segment.json:1:1: events has no entry '*'"),
            (#"{"from":"q"}"#, #"{"form":"q"}"#, "segment.json:3:"),
            ("shop", String(repeating: "a", count: 65), "install_id"),
        ])
    func invalid(part: String, other: String, message: String) throws {
        #expect {
            _ = try intake(Self.mapping.replacing(part, with: other))
        } throws: { "\($0)".contains(message) }
    }

    @Test("A file for an unknown client is an error: it would never be read")
    func unknownFile() throws {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.path("amplitude.json")))
        #expect { _ = try intake() } throws: { "\($0)".contains("amplitude.json: no client has this name") }
    }

    @Test("The built-in mappings keep every message whole", arguments: ClientProtocol.allCases)
    func builtIn(client: ClientProtocol) throws {
        let intake = ClientIntake(Intake(try SchemaKeeper(folder: nil)), try ClientMappings())
        let message = ClientMessage(id: "1", members: ["type": "x", "e": "pv", "n": 1], bytes: [])
        let result = try intake.convert(
            [message], of: client, app: "app", receivedAt: try #require(Self.now), bodyBytes: 0)
        let event = try #require(try events(result).first)
        #expect(!event.isValidated)
        #expect(event.json["event"]?["value"]?["message"] == .object(["type": "x", "e": "pv", "n": 1]))
        #expect(event.json["install_id"] == .string("\(client.rawValue):app"))
    }
}
