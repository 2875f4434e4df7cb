import CommandRunner
import Foundation

/// A run of the sample app on the whole hour of real activity, which takes seconds: tests share one.
struct RealHour {
    private static let run = Task { try await RealHour() }

    let result: CommandResult
    /// What it wrote to `events.jsonl`.
    let lines: Data
    /// The log, closed.
    let database: Data
    /// What it recorded, up to the limit of such a file.
    let recording: Data
    /// Where it recorded.
    let recordingPath: String

    /// The run, which begins when the first test asks for it.
    static var played: RealHour {
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
    static func play(into folder: String, _ extra: [String] = []) async throws -> CommandResult {
        try await runCommand("github-client", ["--activity", SharedData.activity, "--out", folder] + extra)
    }
}
