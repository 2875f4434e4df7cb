import JSONSchema
import Testing
import TrackingPlan

@Suite("The standard plan")
struct StandardPlanTests {
    @Test("The standard plan equals the folder Schemas, byte for byte")
    func bytes() throws {
        let plan = try EventPlan(PlanFolder(path: EventPlanTests.schemas))
        #expect(EventPlan.standard.events.map(\.path) == plan.events.map(\.path))
        #expect(EventPlan.standard.events.map(\.document.bytes) == plan.events.map(\.document.bytes))
        #expect(EventPlan.standard.containers.map(\.document.bytes) == plan.containers.map(\.document.bytes))
        #expect(EventPlan.standard.containers.count == 1)
    }

    @Test("An app's events can be added without a container, and copies are accepted")
    func adding() throws {
        let copy = EventPlan.standard.events[0]
        let folder = PlanFolder(files: [
            PlanFile(path: "events/checkout/1-0-0.json", bytes: Array("{}".utf8)),
            PlanFile(path: copy.path, bytes: copy.document.bytes),
        ])
        let plan = try EventPlan.standard.adding(folder)
        #expect(plan.events.count == EventPlan.standard.events.count + 1)
        #expect(plan.newest.map(\.name).contains("checkout"))
        #expect(plan.containers.map(\.reference) == EventPlan.standard.containers.map(\.reference))
    }

    @Test("Changed published versions and invalid schemas are rejected")
    func issues() throws {
        let changed = PlanFolder(
            name: "S", files: [PlanFile(path: EventPlan.standard.events[0].path, bytes: Array("{}".utf8))])
        let error = #expect(throws: PlanError.self) { try EventPlan.standard.adding(changed) }
        #expect(
            error?.message == """
                S/events/background/1-0-0.json: background/1-0-0 is already in the plan with different content: give the event \
                another name or version
                """)
        let broken = PlanFolder(name: "S", files: [PlanFile(path: "events/a/1-0-0.json", bytes: [])])
        #expect(throws: PlanError.self) { try EventPlan.standard.adding(broken) }
    }
}
