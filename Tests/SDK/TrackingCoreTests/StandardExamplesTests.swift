import Foundation
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingPlan
import TrackingTesting

@Suite("The schemas' examples")
struct StandardExamplesTests {
    private enum NoRoute: RouteCommand { case home }

    @Test("of every standard event become valid lines, and encode what they write")
    func examples() throws {
        let recorder = TrackingRecorder(exhaustivity: .off)
        let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder)
        func send<Event: TrackingEvent>(_ event: Event) throws {
            #expect(environment.tracking.send(event) != nil)
            guard Event.carriesValue else { return }
            var json = JSONWriter()
            try event.writeValue(to: &json)
            #expect(try JSONParser.parse(JSONEncoder().encode(event)) == JSONParser.parse(json.bytes))
        }
        for event in SchemaExamples.events() { try send(event) }
        #expect(Set(recorder.log.records.map(\.name)) == Set(EventPlan.standard.newest.map(\.name)))
        var checker = LineChecker(try CompiledPlan(EventPlan.standard))
        for record in recorder.log.records {
            #expect(record.line.withUnsafeBytes { checker.check($0).findings } == [])
        }
    }

    @Test("past their limits are dropped as out of limits, and the limit is reported")
    func limits() async throws {
        let dependencies = TestDependencies()
        let environment = dependencies.start()
        environment.tracking.send(.search(query: "", page: 1))
        environment.tracking.send(.search(query: "flux", page: 0))
        environment.tracking.send(.search(query: "flux", page: .max))
        environment.tracking.send(PageView(page: "x", additional: ""))
        environment.tracking.send(PageView(page: String(repeating: "x", count: 32_769)))
        environment.tracking.sendNotification(identifier: "", userInfo: [:])
        #expect(environment.tracking.send(PageView(page: String(repeating: "é", count: 17_000))) == nil)
        #expect(
            dependencies.diagnostics.withLock { $0 } == [
                "search: query violates the schema's minLength: 1", "dropped search out-of-limits",
                "search: page violates the schema's minimum: 1", "dropped search out-of-limits",
                "search: page violates the schema's maximum: 9007199254740991", "dropped search out-of-limits",
                "page-view: additional violates the schema's minLength: 1", "dropped page-view out-of-limits",
                "page-view: page violates the schema's maxLength: 32768", "dropped page-view out-of-limits",
                "notification: identifier violates the schema's minLength: 1", "dropped notification out-of-limits",
                "dropped page-view too-large",
            ])
        #expect(dependencies.lines().isEmpty)
        #expect(try Search(query: "flux", page: 1).validated() == Search(query: "flux", page: 1))
    }
}
