import CommandSupport
import Tracking

/// The recording that a run makes of its session.
struct SessionRecording {
    let recorder: ActionRecorder
    private let path: String

    /// Starts one; nil if none is wanted.
    ///
    /// - Throws: ``RecordingError``.
    init?(path: String?) throws {
        guard let path else { return nil }
        self.path = path
        recorder = try ActionRecorder(path: path, app: "GitHubClient 1.0")
    }

    /// Ends the recording.
    ///
    /// - Returns: Why it is not complete; nil if it is, or if it is full, which is only said.
    func close() -> CommandFailure? {
        defer { recorder.close() }
        switch recorder.status {
        case .recording, .closed: return nil
        case .full:
            complain("\(path) is full: the recording ends before the session does")
            return nil
        case .failed(let reason):
            return CommandFailure(.inputOutput, "\(path) is not complete (\(reason)): free some space and try again")
        }
    }
}
