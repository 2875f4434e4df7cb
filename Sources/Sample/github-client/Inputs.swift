import CommandSupport
import Foundation
import GitHubClient
import JSONLines
import LogFiles

/// The input files of a run.
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

    /// All repositories. A single invalid line rejects the file, because searches would give other results.
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
                throw CommandFailure(
                    .dataError, "the list of repositories is invalid, nothing was played; correct the line above")
            }
        }
        return try RepositoryCatalogue(lines: lines)
    }

    /// Reads a line.
    ///
    /// - Throws: ``InputError`` for an incomplete line, or a line that `body` rejects.
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
