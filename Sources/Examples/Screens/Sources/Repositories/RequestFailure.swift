/// Why a request failed.
public enum RequestFailure: String, Error, Encodable, Sendable {
    /// The device is offline.
    case offline
    /// The server failed to respond correctly.
    case unavailable
    /// The request was cancelled.
    case cancelled
}
