internal import Foundation

/// Schemas with a text each from the official test suite.
enum SuiteSeeds {
    static var all: [(schema: String, text: String)] {
        let folder = FuzzFiles.root.appendingPathComponent(
            "Tests/Plan/JSONSchemaTests/JSONSchemaTestSuite/tests/draft2020-12")
        return FuzzFiles.files(in: folder, ending: ".json").flatMap(tests)
    }

    private static func tests(in file: URL) -> [(schema: String, text: String)] {
        guard let data = try? Data(contentsOf: file),
            let groups = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        else { return [] }  // seeds only: another test reads the suite and says what is wrong with it
        return groups.flatMap { (group: [String: Any]) -> [(schema: String, text: String)] in
            let tests = group["tests"] as? [[String: Any]] ?? []
            return tests.compactMap { test in
                guard let schema = text(group["schema"]), let data = text(test["data"]) else { return nil }
                return (schema, data)
            }
        }
    }

    private static func text(_ value: Any?) -> String? {
        guard let value,
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
