public import Foundation

/// The required part of the official JSON Schema Test Suite for draft 2020-12, a copy with its MIT license:
/// <https://github.com/json-schema-org/JSON-Schema-Test-Suite>.
public enum SchemaTestSuite {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Plan/JSONSchemaTests/JSONSchemaTestSuite")

    /// The folder of the tests.
    public static let tests = folder.appendingPathComponent("tests/draft2020-12")

    /// The files of the tests, by their names.
    public static func files() throws -> [(name: String, bytes: Data)] {
        try FileManager.default.contentsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".json") }.sorted()
            .map { ($0, try Data(contentsOf: tests.appendingPathComponent($0))) }
    }

    /// The schemas that the tests refer to, with their URIs.
    public static func remotes() throws -> [(uri: String, bytes: Data)] {
        let remotes = folder.appendingPathComponent("remotes")
        return try FileManager.default.subpathsOfDirectory(atPath: remotes.path).filter { $0.hasSuffix(".json") }
            .sorted()
            .map { ("http://localhost:1234/\($0)", try Data(contentsOf: remotes.appendingPathComponent($0))) }
    }
}
