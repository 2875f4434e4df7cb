import CommandRunner
import FakeData
import Foundation
import JSONSchema
import Testing

/// The schemas of the official JSON Schema Test Suite, which lies beside the project.
@Suite("Fake values of the official suite's schemas")
struct OfficialSuiteValuesTests {
    @Test("are valid, all of them, and there are some of nearly every schema", .enabled(if: SharedData.isAvailable))
    func everySchema() throws {
        let remotes = try OfficialSuite.remotes()
        var made = 0
        var wanted = 0
        var missing: [String] = []
        for (name, group) in try OfficialSuite.groups() {
            guard let schema = group["schema"], let tests = group["tests"]?.elements else { continue }
            // Of what no value satisfies none can be made.
            guard tests.contains(where: { $0["valid"]?.boolean == true }) else { continue }
            wanted += 1
            var set = remotes
            try set.add(JSONDocument(schema.source), at: "suite:schema")
            let judge = try set.compile("suite:schema")
            do {
                let stream = try ValueStream(set, at: "suite:schema", named: name, seed: 1)
                for _ in 0..<20 {
                    try stream.withNext { value in
                        #expect(judge.isValid(Array(value)), "\(name): \(String(decoding: value, as: UTF8.self))")
                    }
                }
                made += 1
            } catch let error as FakeDataError {
                missing.append("\(name) \(group["description"]?.string ?? ""): \(error.reason)")
            }
        }
        print("values were made of \(made) of \(wanted) schemas; not of:\n  \(missing.joined(separator: "\n  "))")
        #expect(wanted > 350)
        #expect(made * 100 >= wanted * 97)
    }
}

/// The files of the suite.
enum OfficialSuite {
    private static let draft = SharedData.schemaSuite.appendingPathComponent("tests/draft2020-12")

    /// The groups of every required file, with the file's name.
    static func groups() throws -> [(name: String, group: JSONDocument.Value)] {
        let names = try FileManager.default.contentsOfDirectory(atPath: draft.path).sorted()
        return try names.filter { $0.hasSuffix(".json") }.flatMap { name in
            try JSONDocument(Data(contentsOf: draft.appendingPathComponent(name))).root.elements.map { (name, $0) }
        }
    }

    /// The schemas that groups refer to.
    static func remotes() throws -> SchemaSet {
        let folder = SharedData.schemaSuite.appendingPathComponent("remotes")
        var set = SchemaSet()
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where path.hasSuffix(".json") {
            let first = path.split(separator: "/").first ?? ""
            guard !first.hasPrefix("draft") && first != "v1" || first == "draft2020-12" else { continue }
            try set.add(
                JSONDocument(Data(contentsOf: folder.appendingPathComponent(path))), at: "http://localhost:1234/\(path)")
        }
        return set
    }
}
