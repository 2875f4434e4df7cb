package import Foundation

/// A run of the sample app on the whole hour of real activity, which takes seconds: tests share one.
package struct RealHour: Sendable {
    private static let run = Task { try await RealHour() }

    package let result: CommandResult
    /// What it wrote to `events.jsonl`.
    package let lines: Data
    /// The log, closed.
    package let database: Data
    /// What it recorded, up to the limit of such a file.
    package let recording: Data
    /// Where it recorded.
    package let recordingPath: String

    /// The run, which begins when the first test asks for it.
    package static var played: RealHour {
        get async throws { try await run.value }
    }

    private init() async throws {
        let folder = try TemporaryFolder()
        recordingPath = folder.path("actions.jsonl")
        result = try await Self.play(into: folder.path, ["--record", recordingPath])
        lines = try folder.read("events.jsonl")
        database = try folder.read("events.sqlite")
        recording = try folder.read("actions.jsonl")
    }

    /// Plays the hour.
    package static func play(into folder: String, _ extra: [String] = []) async throws -> CommandResult {
        try await runCommand("github-client", ["--activity", SharedData.activity, "--out", folder] + extra)
    }
}
