import EventModel
import Foundation
import Testing
import TrackingPlan

@Suite("Event plans")
struct EventPlanTests {
    static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas").standardized.path

    @Test("A plan has each event in each version, and the container")
    func reading() throws {
        let plan = try EventPlan(PlanFolder(path: Self.schemas))
        #expect(
            Set(plan.newest.map(\.name)).isSuperset(of: ["launch", "background", "page-view", "search", "notification"])
        )
        #expect(plan.containers.map(\.reference) == ["container/1-0-0"])
    }

    @Test("Links are followed, and files outside of a plan are ignored")
    func links() throws {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appendingPathComponent("plan-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: root) }  // lost: disk space in the temporary folder
        for folder in ["real/a", "Schemas/logs", "Schemas/examples/good/.hidden"] {
            try manager.createDirectory(at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        for path in [
            "real/a/1-0-0.json", "Schemas/README.md", "Schemas/logs/x.json", "Schemas/large.sqlite",
            "Schemas/examples/good/a.jsonl", "Schemas/examples/good/.hidden/b.jsonl",
        ] {
            try Data("{}".utf8).write(to: root.appendingPathComponent(path))
        }
        let plan = root.appendingPathComponent("Schemas")
        try manager.createSymbolicLink(
            at: plan.appendingPathComponent("events"), withDestinationURL: root.appendingPathComponent("real"))
        // A cycle of links ends.
        try manager.createSymbolicLink(
            at: root.appendingPathComponent("real/ring"), withDestinationURL: root.appendingPathComponent("real"))
        let paths = try PlanFolder(path: plan.path).files.map(\.path)
        #expect(
            paths.filter { !$0.contains("ring") } == ["README.md", "events/a/1-0-0.json", "examples/good/a.jsonl"])
        #expect(paths.count < 10)
    }

    @Test("A file of more than 16 MiB is rejected by its name, without reading it; a pipe is ignored")
    func longFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("plan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let events = folder.appendingPathComponent("events/a")
        try FileManager.default.createDirectory(at: events, withIntermediateDirectories: true)
        #expect(mkfifo(events.appendingPathComponent("2-0-0.json").path, 0o600) == 0)
        #expect(try PlanFolder(path: folder.path).files.isEmpty)
        let long = events.appendingPathComponent("1-0-0.json")
        #expect(FileManager.default.createFile(atPath: long.path, contents: nil))
        let handle = try FileHandle(forWritingTo: long)
        try handle.truncate(atOffset: 3 << 30)
        let error = #expect(throws: PlanError.self) { try PlanFolder(path: folder.path) }
        #expect(
            error?.message.hasPrefix("\(long.path) has more than 16777216 bytes") == true,
            "\(String(describing: error))")
        try handle.truncate(atOffset: UInt64(PlanFolder.maximumFileBytes))
        #expect(try PlanFolder(path: folder.path).files.count == 1)
    }

    @Test("An app's plan without a container cannot check lines")
    func withoutContainer() throws {
        let file = PlanFile(path: "events/a/1-0-0.json", bytes: Array("{}".utf8))
        let plan = try EventPlan(PlanFolder(name: "App", files: [file]))
        #expect(!plan.hasContainer && plan.newest.map(\.reference) == ["a/1-0-0"])
        #expect(throws: PlanError.self) { try CompiledPlan(plan) }
        #expect(try CompiledPlan(EventPlan.standard.adding(PlanFolder(files: [file]))).plan.hasContainer)
        let none = #expect(throws: PlanError.self) { try EventPlan(PlanFolder(name: "App", files: [])) }
        #expect(none?.message == "App has no schemas: pass the folder that contains events/")
    }

    @Test("Versions are ordered numerically")
    func versions() throws {
        let files = ["1-10-0", "1-9-0", "2-0-0"].map { PlanFile(path: "events/a/\($0).json", bytes: Array("{}".utf8)) }
        let plan = try EventPlan(
            PlanFolder(files: files + [PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8))]))
        #expect(plan.versions(of: "a").map(\.version.description) == ["1-9-0", "1-10-0", "2-0-0"])
        #expect(plan.newest.map(\.reference) == ["a/2-0-0"])
    }

    @Test("All errors are reported together")
    func issues() throws {
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
                S/events/a/1-0.json: schema files must be events/<name>/<version>.json or container/<version>.json
                S/events/b/1-0-0.json: not JSON: expected a name in quotes, at byte 1
                S/events/c/1-0-0.json: not a JSON object
                """)
    }
}
