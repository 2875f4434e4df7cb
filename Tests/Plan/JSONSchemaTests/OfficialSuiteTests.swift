import CommandRunner
import Foundation
import JSONSchema
import Testing

/// The official JSON Schema Test Suite, every required test of draft 2020-12.
@Suite("The official suite")
struct OfficialSuiteTests {
    @Test("Every required test passes")
    func everyFile() throws {
        let remotes = try SchemaTestSuite.remotes().map { ($0.uri, try JSONDocument($0.bytes)) }
        let suite = try SchemaSuite(remotes: remotes)
        let files = try SchemaTestSuite.files()
        var total = 0
        for (name, bytes) in files {
            let result = try suite.run(JSONDocument(bytes))
            total += result.total
            #expect(result.failures.isEmpty, "\(name): \(result.failures.prefix(5))")
        }
        #expect(files.count == 46 && total > 1200)
    }
}
