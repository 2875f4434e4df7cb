import CommandRunner
import FakeData
import Foundation
import JSONSchema
import Testing

/// The schemas of the official JSON Schema Test Suite.
@Suite("Fake values of the official suite's schemas")
struct OfficialSuiteValuesTests {
    @Test("Every schema gives values, and all of them are valid")
    func everySchema() throws {
        var remotes = SchemaSet()
        for (uri, bytes) in try SchemaTestSuite.remotes() { try remotes.add(JSONDocument(bytes), at: uri) }
        let groups = try SchemaTestSuite.files().flatMap { name, bytes in
            try JSONDocument(bytes).root.elements.map { (name, $0) }
        }
        var made = 0
        var wanted = 0
        var known: Set<[UInt8]> = []
        var missing: [String] = []
        for (name, group) in groups {
            guard let schema = group["schema"], let tests = group["tests"]?.elements else { continue }
            // A schema that accepts nothing has no values.
            guard tests.contains(where: { $0["valid"]?.boolean == true }) else { continue }
            wanted += 1
            // Some groups share a schema, which gives the same values.
            guard known.insert(Array(schema.source)).inserted else {
                made += 1
                continue
            }
            var set = remotes
            try set.add(JSONDocument(schema.source), at: "suite:schema")
            let judge = try set.compile("suite:schema")
            do {
                let stream = try ValueStream(set, at: "suite:schema", named: name, seed: 1)
                for _ in 0..<10 {
                    try stream.withNext { value in
                        #expect(judge.isValid(Array(value)), "\(name): \(String(decoding: value, as: UTF8.self))")
                    }
                }
                made += 1
            } catch let error as FakeDataError {
                missing.append("\(name) \(group["description"]?.string ?? ""): \(error.reason)")
            }
        }
        #expect(wanted > 350 && made == wanted)
        #expect(missing.isEmpty)
    }
}
