import ArgumentParser
import CommandSupport
import TrackingCore

/// The sample app: played by records of activity, or used by a person.
@main
struct GitHubClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github-client",
        abstract: "A GitHub client that keeps what it tracks: without a screen, or on this terminal.",
        subcommands: [PlayCommand.self, BrowseCommand.self],
        defaultSubcommand: PlayCommand.self)
}

/// How the commands fail.
enum Failures {
    /// Does a command's work; what it throws is said on standard error and becomes the exit code.
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

/// Says something about a run on standard error.
func complain(_ message: String) { StandardError.say(named(message)) }

/// A message under the name of this program.
func named(_ message: String) -> String { "github-client: \(message)" }

extension TrackingDiagnostic {
    /// What to tell people.
    var message: String {
        switch self {
        case .sinkDelayed(_, let reason), .sinkRewound(_, _, let reason): reason
        case .sinkHalted(let sink, let reason): "\(sink) takes nothing until something is changed: \(reason)"
        case .sinkRefused(let sink, let seqs, let reason): "\(sink) refused events \(seqs): \(reason)"
        case .dropped(let name, let reason): "an event \(name) was dropped: \(reason.rawValue)"
        case .outOfLimits(let name, let error): "an event \(name): \(error)"
        case .notEncodable(let name, let path, let reason):
            "an event \(name): cannot encode \(path.isEmpty ? "its value" : path): \(reason)"
        case .log(let error), .storage(let error): "\(error)"
        }
    }
}
