import JSONSchema
import Testing
import TrackingPlan

@Suite("Optional event sets")
struct EventSetTests {
    private static let lifeCycle = [
        "app-backgrounded", "app-foregrounded", "app-installed", "app-opened", "app-updated", "link-opened",
    ]
    private let standard = EventPlan.standard.newest.map(\.name)

    private func folder(_ sets: String, _ files: [PlanFile] = []) -> PlanFolder {
        PlanFolder(name: "S", files: files + [PlanFile(path: "sets.json", bytes: Array(sets.utf8))])
    }

    @Test("Sets equal the folders in Schemas/sets, byte for byte")
    func bytes() throws {
        for set in EventSet.all {
            let own = try EventPlan(PlanFolder(path: EventPlanTests.schemas + "/sets/\(set.name)"))
            let plan = EventPlan.standard(with: set)
            let added = plan.events.filter { !standard.contains($0.name) }
            #expect(added.map(\.path) == own.events.map(\.path))
            #expect(added.map(\.document.bytes) == own.events.map(\.document.bytes))
            #expect(plan.containers.map(\.reference) == EventPlan.standard.containers.map(\.reference))
        }
    }

    @Test("Sets are only in plans that select them, in code or in sets.json")
    func picking() throws {
        #expect(standard == ["background", "launch", "notification", "page-view", "search"])
        #expect(EventPlan.standard(with: .lifeCycle).newest.map(\.name) == (standard + Self.lifeCycle).sorted())
        let checkout = PlanFile(path: "events/checkout/1-0-0.json", bytes: Array("{}".utf8))
        let folder = folder(#"["life-cycle"]"#, [checkout])
        let plan = try EventPlan.standard.adding(folder)
        #expect(plan.newest.map(\.name) == (standard + Self.lifeCycle + ["checkout"]).sorted())
        #expect(try EventPlan.standard(with: .lifeCycle).adding(folder).events.count == plan.events.count)
        #expect(try EventPlan.standard.adding(self.folder("[]")).newest.map(\.name) == standard)
        // Only the app's own events, for its pages.
        #expect(try EventPlan(folder).events.map(\.name) == ["checkout"])
        #expect(try EventPlan(self.folder(#"["life-cycle"]"#)).events.isEmpty)
    }

    @Test(
        "Unknown sets are reported with the known ones",
        arguments: [
            (#"["life-cycel"]"#, #"S/sets.json: unknown set "life-cycel": the SDK has life-cycle"#),
            ("[1]", "S/sets.json: unknown set 1: the SDK has life-cycle"),
            (#"["life-cycle","life-cycle"]"#, "S/sets.json: life-cycle is listed twice: remove one"),
            (#"{"sets":[]}"#, #"S/sets.json: write an array of names, such as ["life-cycle"]"#),
        ])
    func unknown(text: String, message: String) {
        let error = #expect(throws: PlanError.self) { try EventPlan.standard.adding(folder(text)) }
        #expect(error?.message == message)
    }

    @Test("Invalid JSON in sets.json is reported")
    func notJSON() {
        let error = #expect(throws: PlanError.self) { try EventPlan.standard.adding(folder("life-cycle")) }
        #expect(error?.message.hasPrefix("S/sets.json: not JSON: ") == true)
    }

    @Test("A plan with its own container cannot select sets")
    func ownContainer() {
        let container = PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8))
        let error = #expect(throws: PlanError.self) { try EventPlan(folder(#"["life-cycle"]"#, [container])) }
        #expect(
            error?.message == """
                S/sets.json: a plan with its own container cannot select sets: copy their schemas into events/
                """)
    }

    @Test("A modified copy of a set's schema is rejected")
    func changed() throws {
        let path = "events/app-opened/1-0-0.json"
        let error = #expect(throws: PlanError.self) {
            try EventPlan.standard.adding(
                folder(#"["life-cycle"]"#, [PlanFile(path: path, bytes: Array("{}".utf8))]))
        }
        #expect(
            error?.message.hasPrefix("S/\(path): app-opened/1-0-0 is already in the plan with different content")
                == true)
        // Without the set the name is free.
        let own = PlanFolder(name: "S", files: [PlanFile(path: path, bytes: Array("{}".utf8))])
        #expect(try EventPlan.standard.adding(own).newest.map(\.name).contains("app-opened"))
    }
}
