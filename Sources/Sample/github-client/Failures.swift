import ArgumentParser
import CommandSupport
import Tracking

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
func complain(_ message: String) { StandardError.write("github-client: \(message)\n") }
