import CommandSupport
import Foundation
import GitHubClient
import LogFiles

/// Where a run takes its activity and repositories from.
struct Inputs {
    let activity: String
    let repositories: String
    /// Whether the activity is the small session that ships with the sample.
    let isSample: Bool

    init(activity: String?, repositories: String?) throws {
        isSample = activity == nil
        self.activity = try activity ?? SampleFiles.activity()
        if let repositories {
            self.repositories = repositories
            return
        }
        let sibling = activity.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent()
                .appendingPathComponent("github-repositories.jsonl.gz").path
        }
        self.repositories =
            try sibling.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
            ?? SampleFiles.repositories()
    }

    /// All repositories; one line at fault is enough to refuse the file, because searches would differ.
    func catalogue() throws -> RepositoryCatalogue {
        let reader = try LogFileReader(path: repositories)
        var lines: [[UInt8]] = []
        while let line = try reader.next() {
            do {
                let bytes = try line.line.bytes()
                _ = try RepositoryCatalogue(lines: [bytes])
                lines.append(bytes)
            } catch {
                var faulty = FaultyLines(command: "github-client")
                faulty.report(error, file: reader.name, line: line.number)
                throw CommandFailure(.data, "the list of repositories is at fault: nothing was played")
            }
        }
        return try RepositoryCatalogue(lines: lines)
    }
}
