internal import Primitives
internal import TrackingCore

/// The app's access to the network while its session is recorded or replayed: it records requests, and passes responses
/// as inputs of the app.
final class RecordedSession: HTTPSession {
    private struct Request: Encodable {
        let number: Int
        let url: String
    }

    private struct State {
        var count = 0
        var open: [Int: @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void] = [:]
    }

    private let session: any HTTPSession
    private let recording: EnvironmentRecording<GitHubRoute>
    private let state = Locked(State())

    init(_ session: any HTTPSession, recording: EnvironmentRecording<GitHubRoute>) {
        self.session = session
        self.recording = recording
    }

    func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void) {
        let number = state.withLock { state in
            state.count += 1
            state.open[state.count] = completion
            return state.count
        }
        recording.request("http", Request(number: number, url: url))
        session.get(url) { [self] result in take(HTTPAnswer(result), to: number) }
    }

    /// Passes a response to the request's completion handler.
    func take(_ answer: HTTPAnswer, to number: Int) {
        recording.input(GitHubInput.answered(request: number, answer)) {
            let completion = state.withLock { $0.open.removeValue(forKey: number) }
            completion?(answer.result)
        }
    }
}

/// A network that never responds: in a replay, the recording does.
struct SilentSession: HTTPSession {
    func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void) {}
}
