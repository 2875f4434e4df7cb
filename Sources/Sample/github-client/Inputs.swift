import CommandSupport
import Foundation
import GitHubClient
import JSONLines
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
                lines.append(
                    try Self.read(line, of: reader) { bytes in
                        _ = try RepositoryCatalogue(lines: [bytes])
                        return bytes
                    })
            } catch let issue as InputError {
                StandardError.say("\(issue)")
                throw CommandFailure(.dataError, "the list of repositories is at fault: nothing was played")
            }
        }
        return try RepositoryCatalogue(lines: lines)
    }

    /// Reads one line.
    ///
    /// - Throws: ``InputError`` for a line that isn't whole, or that `body` refuses.
    static func read<T>(
        _ line: (line: LineSplitter.Line, number: Int), of reader: LogFileReader, _ body: ([UInt8]) throws -> T
    ) throws -> T {
        let number = Int64(line.number)
        let bytes = try line.line.content(input: reader.name, line: number)
        do {
            return try body(bytes)
        } catch {
            throw InputError(error, input: reader.name, line: number)
        }
    }
}
