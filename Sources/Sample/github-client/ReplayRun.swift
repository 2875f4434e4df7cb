import CommandSupport
import Foundation
import GitHubClient
import LogFiles
import Tracking
import TrackingReplay

/// Plays a recorded session again and prints how it ended.
struct ReplayRun {
    let path: String
    let until: Int64?
    let isJSON: Bool

    /// - Throws: ``RecordingError``; ``CommandFailure``: `findings` after a difference was printed, `usage` for an index
    ///   past the recording's end, `inputOutput`.
    func run() throws {
        let outcome = try HeadlessApp.replay(of: path).run(until: until)
        if let until, outcome.verdict == .equal, outcome.lastIndex < until { throw pastTheEnd(outcome, until) }
        let report = ReplayReport(outcome: outcome, path: path)
        try (isJSON ? report.json : report.text).withUnsafeBytes {
            try DescriptorBytes.write($0, to: STDOUT_FILENO, name: "standard output")
        }
        if case .diverged(let divergence) = outcome.verdict {
            throw CommandFailure(
                .findings, "from entry \(divergence.index) on the app does not do what \(path) says\(otherSDK(outcome))"
            )
        }
    }

    private func pastTheEnd(_ outcome: ReplayOutcome, _ until: Int64) -> CommandFailure {
        let count = outcome.lastIndex
        let hint = count == 0 ? "there is nothing to play" : "name one from 1 to \(count) with --until"
        return CommandFailure(
            .usage, "there is no entry \(until): \(path) has \(count) \(count == 1 ? "entry" : "entries"); \(hint)")
    }

    /// What may be the reason for a difference: lines name the SDK that made them.
    private func otherSDK(_ outcome: ReplayOutcome) -> String {
        guard outcome.recordedSDK != TrackingContext.sdk else { return "" }
        return "; it was recorded with another SDK than this program's, \(TrackingContext.sdk)"
    }
}
