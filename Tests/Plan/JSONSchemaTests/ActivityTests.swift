import CommandRunner
import Foundation
import JSONLines
import JSONSchema
import LogFiles
import Testing

/// Real records of one hour, and a strict schema for them. All findings are known and explained.
@Suite("A real hour of activity", .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
struct ActivityTests {
    /// The schema's findings by type of record, location and keyword; counts of elements are omitted.
    private static let findings: [(String, count: Int)] = [
        // GH Archive's addresses, git@github.com:…, look like mail addresses. The anonymized copy replaces the part
        // before the @, and the host, so all of them violate the rule.
        ("PullRequestEvent /payload/pull_request/base/repo/ssh_url pattern", 315),
        ("PullRequestEvent /payload/pull_request/head/repo/ssh_url pattern", 314),
        ("ForkEvent /payload/forkee/ssh_url pattern", 213),
        ("PullRequestReviewCommentEvent /payload/pull_request/base/repo/ssh_url pattern", 85),
        ("PullRequestReviewCommentEvent /payload/pull_request/head/repo/ssh_url pattern", 85),
        // GitHub kept the colors of labels as typed: both CCCCCC and cccccc occur.
        ("IssuesEvent /payload/issue/labels/*/color pattern", 12),
        ("IssueCommentEvent /payload/issue/labels/*/color pattern", 11),
    ]

    @Test("All findings in real data are explained")
    func everyRecord() throws {
        let url = try #require(Bundle.module.url(forResource: "Resources/activity.schema", withExtension: "json"))
        let source = try JSONDocument(Data(contentsOf: url))
        #expect(try #require(CompiledSchema.metaSchema).isValid(source.bytes))
        let schema = try SchemaSet.compile(source, options: SchemaOptions(assertsFormats: true))
        var validator = SchemaValidator(schema)
        var found: [String: Int] = [:]
        var records = 0
        var invalid = 0
        try LogFileReader(path: SharedData.activity).forEachLine { line, number in
            guard case .complete(let bytes) = line else {
                Issue.record("line \(number) is not complete")
                return
            }
            records += 1
            let (verdict, violations) = bytes.withUnsafeBytes { validator.violations(in: $0) }
            #expect((verdict == .valid) == violations.isEmpty)
            guard verdict != .valid else { return }
            invalid += 1
            let type = try #require(JSONDocument(bytes).root["type"]?.string)
            for violation in violations {
                let path = violation.instancePath.split(separator: "/").map { Int($0) == nil ? "/\($0)" : "/*" }
                    .joined()
                found["\(type) \(path) \(violation.keyword)", default: 0] += 1
            }
        }
        #expect(records == 7702)
        #expect(invalid == 636)
        #expect(found == Dictionary(uniqueKeysWithValues: Self.findings))
    }
}
