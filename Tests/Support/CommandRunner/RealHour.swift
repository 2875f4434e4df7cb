package import Foundation

/// A run of the sample app on a whole hour of real activity, which takes seconds: tests share it.
package struct RealHour: Sendable {
    private static let run = Task { try await RealHour() }

    package let result: CommandResult
    /// The contents of `events.jsonl`.
    package let lines: Data
    /// The closed log.
    package let database: Data
    /// The recording, up to its size limit.
    package let recording: Data
    /// The path of the recording.
    package let recordingPath: String

    /// The shared run, which starts when the first test requests it.
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
