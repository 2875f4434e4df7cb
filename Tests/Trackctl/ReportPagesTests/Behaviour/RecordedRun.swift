import Foundation
import JSONLines
import ReportPages
import Testing

/// A test run recorded by Swift Testing, without the paths of the machine and the addresses of calls.
enum RecordedRun {
    /// Of Swift Testing's version 0, with the values of tests with parameters.
    static let version0 = "run-0"
    /// The same run in the default version.
    static let version6 = "run-6.3"

    static func lines(_ name: String) throws -> [String] {
        let url = try #require(Bundle.module.url(forResource: "Resources/\(name)", withExtension: "jsonl"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    static func read(_ lines: [String]) throws -> TestRun {
        var run = TestRun()
        for line in lines { try run.add(JSONParser.parse(line.utf8)) }
        try run.endStream()
        return run
    }

    /// The page of all tests of a run.
    static func page(_ lines: [String], filters: [String] = [], showsCases: Bool = true) throws -> String {
        BehaviourPage(
            title: "What the shop does", targets: try read(lines).targets(within: filters), showsCases: showsCases
        ).text
    }
}
