import Foundation
import Testing
import TrackingPlan

@testable import PlanDiff

@Suite("Loading a folder from a git revision")
struct GitLoadingTests {
    @Test("The plan's files are loaded as they were")
    func files() throws {
        let repository = try TestRepository()
        try repository.write("{}", to: "plan/Schemas/container/1-0-0.json")
        try repository.write("{\"title\": \"é\"}\n", to: "plan/Schemas/events/a b/1-0-0.json")
        try repository.write("", to: "plan/Schemas/examples/good/empty.jsonl")
        try repository.write("x", to: "plan/Schemas/logs/events.jsonl")
        try repository.write("x", to: "plan/Schemas/.hidden/file")
        try repository.write("x", to: "plan/other.txt")
        try repository.commit()
        try repository.write("changed", to: "plan/Schemas/events/a b/1-0-0.json")
        try repository.write("new", to: "plan/Schemas/new.txt")

        let folder = try PlanFolder(path: repository.path + "/plan/Schemas", atRevision: "HEAD")
        #expect(folder.name == "HEAD:plan/Schemas")
        #expect(
            folder.files.map(\.path) == ["container/1-0-0.json", "events/a b/1-0-0.json", "examples/good/empty.jsonl"])
        #expect(folder.files.map { String(decoding: $0.bytes, as: UTF8.self) } == ["{}", "{\"title\": \"é\"}\n", ""])
    }

    @Test("The folder may be the repository itself, with many files")
    func manyFiles() throws {
        let repository = try TestRepository()
        for number in 0..<250 { try repository.write("\(number)", to: "events/e/\(1000 + number).json") }
        try repository.commit()
        let folder = try PlanFolder(path: repository.path, atRevision: "HEAD")
        #expect(folder.name == "HEAD:.")
        #expect(folder.files.map { String(decoding: $0.bytes, as: UTF8.self) } == (0..<250).map(String.init))
    }

    @Test("A missing folder is empty, so everything is new")
    func allNew() throws {
        let repository = try TestRepository()
        try repository.write("x", to: "file")
        try repository.commit()
        try repository.write("{}", to: "Schemas/container/1-0-0.json")
        try repository.write("{}", to: "Schemas/events/a/1-0-0.json")
        let path = repository.path + "/Schemas"
        let old = try PlanFolder(path: path, atRevision: "HEAD")
        #expect(old.files.isEmpty)
        let diff = try PlanDiff(PlanFolder(path: path), against: (old, "git:HEAD"))
        #expect(diff.events.map(\.name) == ["a", "container"])
        #expect(diff.events.allSatisfy { $0.isNew && $0.comparisons.isEmpty && $0.issues.isEmpty })
        #expect(diff.findingCount == 0)
    }

    @Test("Unknown revisions are rejected", arguments: ["nope", "", "--all", "HEAD~9"])
    func unknownRevision(_ revision: String) throws {
        let repository = try TestRepository()
        try repository.write("x", to: "file")
        try repository.commit()
        let error = #expect(throws: PlanError.self) {
            try PlanFolder(path: repository.path, atRevision: revision)
        }
        #expect(error?.code == .noRevision)
        #expect(error?.message.hasPrefix("unknown revision \(revision)") == true)
    }

    @Test("A folder outside of a repository is rejected")
    func noRepository() throws {
        let error = #expect(throws: PlanError.self) { try PlanFolder(path: "/", atRevision: "HEAD") }
        #expect(error?.code == .noRevision)
        #expect(error?.message.contains("is not in a git repository") == true)
    }
}
