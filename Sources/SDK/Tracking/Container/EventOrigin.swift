/// Where a replayed event came from, if it got a new number in this log.
public struct EventOrigin: Hashable, Sendable {
    /// The install that sent it.
    public let installID: String
    /// Its number there.
    public let seq: Int64

    /// Makes an origin.
    public init(installID: String, seq: Int64) {
        self.installID = installID
        self.seq = seq
    }
}
