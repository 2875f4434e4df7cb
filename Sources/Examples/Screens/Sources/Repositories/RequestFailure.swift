/// No answer.
public enum RequestFailure: String, Error, Encodable, Sendable {
    /// There is no connection.
    case offline
    /// The server does not answer as it should.
    case unavailable
    /// Nobody waits for the answer any more.
    case cancelled
}
