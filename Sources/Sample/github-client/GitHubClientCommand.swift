import ArgumentParser
import CommandSupport
import TrackingCore

/// The sample app, driven by records of activity or by a user.
@main
struct GitHubClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github-client",
        abstract: "A sample GitHub client with event tracking, headless or on this terminal.",
        subcommands: [PlayCommand.self, BrowseCommand.self],
        defaultSubcommand: PlayCommand.self)
}

/// Error reporting of the commands.
enum Failures {
    /// Runs a command. Prints errors to standard error and converts them to exit codes.
    static func reported(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let failure = CommandFailure(error)
            complain(failure.message)
            throw ExitCode(failure.status.rawValue)
        }
    }
}

/// Prints a message about the run to standard error.
func complain(_ message: String) { StandardError.say(named(message)) }

/// A message with the program's name as its prefix.
func named(_ message: String) -> String { "github-client: \(message)" }

extension TrackingDiagnostic {
    /// The message for people.
    var message: String {
        switch self {
        case .sinkDelayed(_, let reason), .sinkRewound(_, _, let reason): reason
        case .sinkHalted(let sink, let reason): "\(sink) is halted: \(reason)"
        case .sinkRefused(let sink, let seqs, let reason): "\(sink) rejected events \(seqs): \(reason)"
        case .dropped(let name, let reason): "event \(name) was dropped: \(reason.rawValue)"
        case .droppedRepeatedly(let name, let reason, let count):
            "event \(name) was dropped \(count) more times: \(reason.rawValue)"
        case .userRejected: "the user's id is empty, too long, or has control characters"
        case .outOfLimits(let name, let error): "event \(name): \(error)"
        case .notEncodable(let name, let path, let reason):
            "event \(name): cannot encode \(path.isEmpty ? "its value" : path): \(reason)"
        case .log(let error), .storage(let error): "\(error)"
        case .switches(let error): "\(error)"
        }
    }
}
