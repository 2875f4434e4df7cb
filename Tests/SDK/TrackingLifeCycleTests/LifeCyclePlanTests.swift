import Foundation
import Testing
import TrackingCore
import TrackingLifeCycle
import TrackingPlan
import TrackingTesting

@Suite("The plan with the life cycle")
struct LifeCyclePlanTests {
    private enum NoRoute: RouteCommand { case none }

    @Test("has the schemas of all types of TrackingLifeCycle, and their examples are valid")
    func examples() throws {
        let plan = EventPlan.standard(with: .lifeCycle)
        let recorder = TrackingRecorder(validatingAgainst: try CompiledPlan(plan), exhaustivity: .off)
        let tracker = TrackingEnvironment<NoRoute>.mock(recording: recorder).tracking
        func send<Event: TrackingEvent>(_ event: Event) throws {
            #expect(tracker.send(event) != nil)
            guard Event.carriesValue else { return }
            var json = JSONWriter()
            try event.writeValue(to: &json)
            #expect(try JSONParser.parse(JSONEncoder().encode(event)) == JSONParser.parse(json.bytes))
        }
        for event in SchemaExamples.events() { try send(event) }
        let standard = EventPlan.standard.newest.map(\.name)
        #expect(
            Set(recorder.log.records.map(\.name)).sorted()
                == plan.newest.map(\.name).filter { !standard.contains($0) })
    }

    @Test("drops a version that exceeds its limits")
    func limits() {
        #expect(throws: TrackingEventError.self) {
            try AppInstalled(version: String(repeating: "1", count: 65), build: "1").validated()
        }
        #expect(throws: TrackingEventError.self) { try AppInstalled(version: "1.0", build: "").validated() }
    }
}
