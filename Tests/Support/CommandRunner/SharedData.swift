public import Foundation

/// The real input, which is not part of the project: `TRACKING_SHARED`, or `../shared` beside the checkout.
public enum SharedData {
    private static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["TRACKING_SHARED"] { return URL(fileURLWithPath: named) }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()  // CommandRunner
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("../shared").standardized
    }()

    /// A real hour of activity.
    public static var activity: String { path("data/github-activity-2015-01-01T00.jsonl.gz") }

    /// Real repositories.
    public static var repositories: String { path("data/github-repositories.jsonl.gz") }

    /// The official JSON Schema Test Suite.
    public static var schemaSuite: URL { folder.appendingPathComponent("json-schema-test-suite") }

    /// The files of the suite's required tests of draft 2020-12, by their names.
    public static func schemaSuiteFiles() throws -> [(name: String, bytes: Data)] {
        let folder = schemaSuite.appendingPathComponent("tests/draft2020-12")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
            .sorted()
            .map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
    }

    /// The schemas that those tests refer to, with the URIs that they are to be found at.
    public static func schemaSuiteRemotes() throws -> [(uri: String, bytes: Data)] {
        let folder = schemaSuite.appendingPathComponent("remotes")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap { path in
            let first = path.split(separator: "/").first ?? ""
            guard path.hasSuffix(".json"), !first.hasPrefix("draft") && first != "v1" || first == "draft2020-12" else {
                return nil
            }
            return ("http://localhost:1234/\(path)", try Data(contentsOf: folder.appendingPathComponent(path)))
        }
    }

    /// Whether it is there. In CI it must be; elsewhere its tests are skipped, and this says so once.
    public static let isAvailable: Bool = {
        if FileManager.default.fileExists(atPath: activity) { return true }
        print("skipped the tests on real input: there is no \(folder.path); set TRACKING_SHARED to its folder")
        return ProcessInfo.processInfo.environment["CI"] != nil
    }()

    private static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
