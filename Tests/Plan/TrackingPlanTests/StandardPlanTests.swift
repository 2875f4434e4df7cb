import JSONSchema
import Testing
import TrackingPlan

@Suite("The standard plan")
struct StandardPlanTests {
    @Test("is the folder Schemas, byte for byte")
    func bytes() throws {
        let plan = try EventPlan(PlanFolder(path: EventPlanTests.schemas))
        #expect(EventPlan.standard.events.map(\.path) == plan.events.map(\.path))
        #expect(EventPlan.standard.events.map(\.document.bytes) == plan.events.map(\.document.bytes))
        #expect(EventPlan.standard.containers.map(\.document.bytes) == plan.containers.map(\.document.bytes))
        #expect(EventPlan.standard.containers.count == 1)
    }

    @Test("takes an app's events, which need no container, and copies of its own")
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

    @Test("does not take another version of what is published, nor what is no schema")
    func issues() throws {
        let changed = PlanFolder(
            name: "S", files: [PlanFile(path: EventPlan.standard.events[0].path, bytes: Array("{}".utf8))])
        let error = #expect(throws: PlanError.self) { try EventPlan.standard.adding(changed) }
        #expect(
            error?.message == """
                S/events/background/1-0-0.json: background/1-0-0 is already in the plan with other bytes: give the event \
                another name or version
                """)
        let broken = PlanFolder(name: "S", files: [PlanFile(path: "events/a/1-0-0.json", bytes: [])])
        #expect(throws: PlanError.self) { try EventPlan.standard.adding(broken) }
    }
}
