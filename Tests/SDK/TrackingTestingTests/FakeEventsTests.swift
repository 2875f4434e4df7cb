import Foundation
import Testing
import TrackingCore
import TrackingTesting

@Suite("Fake events")
struct FakeEventsTests {
    private struct SearchRow: Decodable {
        let query: String
        let page: Int
    }

    @Test("are of the requested events, and decode into an app's types")
    func decoding() throws {
        let events = Array(try FakeEvents("search", seed: 7).prefix(100))
        #expect(events.count == 100 && events.allSatisfy { $0.name == "search" })
        for event in events {
            let row = try event.decode(SearchRow.self)
            #expect(!row.query.isEmpty && row.page >= 1)
            #expect(event.value["query"] == .string(row.query))
        }
        #expect(Set(events.map(\.line)).count == 100)
    }

    @Test("are complete, valid lines of sessions from launch to background")
    func lines() throws {
        var checker = LineChecker(try CompiledPlan(.standard))
        let events = Array(try FakeEvents().prefix(300))
        for event in events {
            #expect(Array(event.line.utf8).withUnsafeBytes { checker.check($0).findings }.isEmpty)
        }
        #expect(Set(events.map(\.name)) == ["background", "launch", "notification", "page-view", "search"])
        #expect(events.first?.name == "launch")
    }

    @Test("are the same for the same seed, at each request")
    func seeds() throws {
        let events = try FakeEvents(seed: 7)
        let lines = events.prefix(20).map(\.line)
        #expect(events.prefix(20).map(\.line) == lines)
        #expect(try FakeEvents(seed: 8).prefix(20).map(\.line) != lines)
    }

    @Test("have no value if the event carries none")
    func withoutValue() throws {
        struct Nothing: Decodable {}
        let launch = try #require(try FakeEvents("launch").first { _ in true })
        #expect(launch.value == .null)
        _ = try launch.decode(Nothing.self)
    }

    @Test("are rejected for an event that is not in the plan")
    func unknown() throws {
        let error = #expect(throws: PlanError.self) { _ = try FakeEvents("nope") }
        #expect(error?.message.hasPrefix("the plan has no event nope: it has background") == true)
    }

    @Test("Fake values satisfy a custom schema, or report where no value can")
    func values() throws {
        struct Order: Decodable {
            let id: UUID
            let items: [String]
        }
        let schema = """
            {"type": "object", "required": ["id", "items"], "properties": {
                "id": {"type": "string", "format": "uuid"},
                "items": {"type": "array", "items": {"type": "string"}, "minItems": 1}}}
            """
        for text in try FakeValues(schema: schema, seed: 7).prefix(50) {
            let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
            #expect(!order.items.isEmpty)
        }
        let impossible =
            #"{"type": "array", "items": {"type": "string", "minLength": 2, "maxLength": 1}, "minItems": 1}"#
        let error = #expect(throws: PlanError.self) { _ = try FakeValues(schema: impossible) }
        #expect(error?.message.hasPrefix("the schema#/items: no value was found") == true)
    }
}
