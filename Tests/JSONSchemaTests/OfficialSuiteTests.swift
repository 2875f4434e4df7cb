import CommandRunner
import Foundation
import JSONSchema
import Testing

/// The official JSON Schema Test Suite, which lies beside the project: every required test of draft 2020-12.
@Suite("The official suite")
struct OfficialSuiteTests {
    private static let draft = SharedData.schemaSuite.appendingPathComponent("tests/draft2020-12")

    static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: draft.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }

    private static func remotes() throws -> [(uri: String, document: JSONDocument)] {
        let remotes = SharedData.schemaSuite.appendingPathComponent("remotes")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: remotes.path).sorted()
        return try paths.compactMap { path in
            let first = path.split(separator: "/").first ?? ""
            guard path.hasSuffix(".json"), !first.hasPrefix("draft") && first != "v1" || first == "draft2020-12" else {
                return nil
            }
            let bytes = try Data(contentsOf: remotes.appendingPathComponent(path))
            return ("http://localhost:1234/\(path)", try JSONDocument(bytes))
        }
    }

    @Test("passes, every required test", .enabled(if: SharedData.isAvailable))
    func everyFile() throws {
        let suite = try SchemaSuite(remotes: Self.remotes())
        var total = 0
        for name in Self.files {
            let file = try JSONDocument(Data(contentsOf: Self.draft.appendingPathComponent(name)))
            let result = try suite.run(file)
            total += result.total
            #expect(result.failures.isEmpty, "\(name): \(result.failures.prefix(5))")
        }
        #expect(Self.files.count == 46 && total > 1200)
    }
}
