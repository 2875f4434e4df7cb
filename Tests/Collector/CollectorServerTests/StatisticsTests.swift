import CollectorFixtures
import CollectorServer
import CommandRunner
import DeliveryProtocol
import Foundation
import JSONLines
import Testing

@Suite("What has arrived", .timeLimit(.minutes(10)))
struct StatisticsTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try CollectorFolder() }

    /// The answer of a path, when all batches are counted.
    private func counted(_ collector: ServedCollector, _ path: String) async throws -> JSONValue {
        var found = JSONValue.null
        let isCounted = try await eventually {
            let answer = try await collector.get(path)
            #expect(answer.status == 200)
            found = try JSONParser.parse(Array(answer.text.utf8))
            return found["counted"] == found["stored_receipt"] && found["counted"] != .integer(0)
        }
        try #require(isCounted)
        return found
    }

    private func elements(_ value: JSONValue?) -> [JSONValue] {
        guard case .array(let elements)? = value else { return [] }
        return elements
    }

    @Test("Events of the plan and others, with counts, rules and minutes")
    func arrivals() async throws {
        try await folder.serve { collector in
            let lines = [
                sender.line(1), sender.line(2).replacing(#""page":1"#, with: #""page":0"#),
                sender.line(3).replacing("search", with: "tap"),
            ]
            _ = try await collector.post(SendingInstall.body([sender.header(1, 1...3)] + lines)).receipt()
            let found = try await counted(collector, "/v1/arrivals?hours=2")
            let events = elements(found["events"])
            #expect(events.prefix(2).map { $0["name"] } == [.string("search"), .string("tap")])
            let search = try #require(events.first)
            #expect(search["accepted"] == .integer(1) && search["rejected"] == .integer(1))
            #expect(search["schema"] == .string("search/1-0-0"))
            #expect(elements(search["rules"]).count == 1)
            let minutes = elements(search["minutes"]).compactMap(\.integerValue)
            #expect(minutes.count == 60 && minutes.reduce(0, +) == 2)
            #expect(events[1]["schema"] == nil && events[1]["unvalidated"] == .integer(1))
            let unseen = try #require(events.first { $0["name"] == .string("launch") })
            #expect(unseen["schema"] == .string("launch/1-0-0") && unseen["first_seen"] == nil)
        }
    }

    @Test("Completeness by install and version; what a parameter must be")
    func completeness() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(
                SendingInstall.body([
                    sender.header(1, 1...5, missing: [.init(2...2, .dropped), .init(3...3, .held)]),
                    sender.line(1), sender.line(5),
                ])
            ).receipt()
            let found = try await counted(collector, "/v1/completeness?days=3")
            let row = try #require(elements(found["rows"]).first)
            #expect(found["row_count"] == .integer(1) && found["partial"] == .bool(false))
            let today = try #require(elements(row["days"]).last)
            #expect(elements(row["days"]).map { $0 == .null } == [true, true, false])
            #expect(today == row["total"])
            for (name, count) in [("numbers", 5), ("stored", 2), ("held", 1), ("missing", 1)] {
                #expect(today[name] == .integer(Int64(count)), "\(name)")
            }
            #expect(today["reasons"] == .object(["dropped": .integer(1)]))
            let apps = try await counted(collector, "/v1/completeness?by=app")
            #expect(elements(apps["rows"]).map { $0["name"] } == [.string("")])
            for query in ["by=day", "days=0", "days=91", "limit=0", "offset=-1", "nmae=1"] {
                let answer = try await collector.get("/v1/completeness?\(query)")
                #expect(try answer.problem().code == .malformed, "\(query)")
            }
        }
    }

    @Test("A repeated batch is listed with its attempts")
    func deliveries() async throws {
        try await folder.serve { collector in
            let body = sender.body(1, 1...3)
            for attempt in 1...3 {
                _ = try await collector.post(body, [("Tracking-Attempt", "\(attempt)")]).receipt()
            }
            let isListed = try await eventually {
                let answer = try await collector.get("/v1/installs/install-a/deliveries")
                let found = elements(try JSONParser.parse(Array(answer.text.utf8))["deliveries"])
                return found.map { $0["attempts"] } == [.integer(3)] && found.map { $0["lines"] } == [.integer(3)]
            }
            #expect(isListed)
            #expect(try await collector.get("/v1/installs/unknown/deliveries").text == #"{"deliveries":[]}"#)
        }
    }

    @Test("The tests that assert an event come from the firing matrix, which is reread; errors say what to do")
    func tests() async throws {
        let file = try TemporaryFolder()
        let path = file.path("matrix.jsonl")
        let line =
            #"{"event":"search","place":"A/B.swift:3","route":"home","schema":"search/1-0-0","test":"finds"}"#
        try await folder.serve {
            $0.firingMatrix = path
        } _: { collector in
            let missing = try await collector.get("/v1/tests?event=search").problem()
            #expect(missing.code == .notFound && missing.detail.contains("run the app's tests"))
            try file.write(
                #"{"routes":["home"],"place":"A/B.swift:1"}"# + "\n" + line + "\n" + line + "\n", to: "matrix.jsonl"
            )
            let expected = #"{"tests":[{"test":"finds","place":"A/B.swift:3","route":"home"}]}"#
            #expect(try await collector.get("/v1/tests?event=search").text == expected)
            #expect(try await collector.get("/v1/tests?event=launch").text == #"{"tests":[]}"#)
            try file.write("no line\n", to: "matrix.jsonl")
            let invalid = try await collector.get("/v1/tests?event=search").problem()
            #expect(invalid.detail.contains("matrix.jsonl:1: not a line of a firing matrix"))
            #expect(try await collector.get("/v1/tests").problem().code == .malformed)
        }
        try await folder.serve { collector in
            let answer = try await collector.get("/v1/tests?event=search")
            let none = try answer.problem()
            #expect(none.code == .notFound && none.detail.contains("--firing-matrix"))
        }
    }

    @Test(
        "A write key may not read",
        arguments: [
            "/v1/arrivals", "/v1/completeness", "/v1/installs/install-a/deliveries", "/v1/tests?event=search",
        ])
    func writeKey(_ path: String) async throws {
        try await folder.serve { collector in
            let writer = try await collector.call("GET", path, key: folder.writeKey).problem()
            let anonymous = try await collector.call("GET", path, key: nil).problem()
            #expect(writer.code == .forbidden && anonymous.code == .unauthorized)
        }
    }
}
