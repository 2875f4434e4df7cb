import EventNaming
import Foundation
import Testing
import TrackingPlan

@Suite("Plans")
struct EventPlanTests {
    static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Schemas").standardized.path

    @Test("of a folder hold each event in each version, and the container")
    func reading() throws {
        let plan = try EventPlan(PlanFolder(path: Self.schemas))
        #expect(
            Set(plan.newest.map(\.name)).isSuperset(of: ["launch", "background", "page-view", "search", "notification"])
        )
        #expect(plan.containers.map(\.reference) == ["container/1-0-0"])
    }

    @Test("order versions by number, not by text")
    func versions() throws {
        let files = ["1-10-0", "1-9-0", "2-0-0"].map { PlanFile(path: "events/a/\($0).json", bytes: Array("{}".utf8)) }
        let plan = try EventPlan(
            PlanFolder(files: files + [PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8))]))
        #expect(plan.versions(of: "a").map(\.version.description) == ["1-9-0", "1-10-0", "2-0-0"])
        #expect(plan.newest.map(\.reference) == ["a/2-0-0"])
    }

    @Test("say every fault at once")
    func faults() throws {
        let error = try #require(throws: PlanError.self) {
            try EventPlan(
                PlanFolder(
                    name: "S",
                    files: [
                        PlanFile(path: "events/a/1-0.json", bytes: []),
                        PlanFile(path: "events/b/1-0-0.json", bytes: [0x7B]),
                        PlanFile(path: "events/c/1-0-0.json", bytes: Array("3".utf8)),
                    ]))
        }
        #expect(
            error.message == """
                S/events/a/1-0.json: schemas stand at events/<name>/<version>.json or container/<version>.json
                S/events/b/1-0-0.json: not JSON: expected a name in quotes, at byte 1
                S/events/c/1-0-0.json: not a JSON object
                """)
    }
}
