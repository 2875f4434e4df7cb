/// A token that identifies the lease under which a batch is delivered.
///
/// A deliverer that was stopped may reach its sink after its lease has ended. If several processes share the sink's
/// storage, the sink should store the newest token there, and reject a batch with a stale token.
public struct LeaseToken: Codable, Hashable, Sendable {
    /// The series of the token, generated with the first lease. Tokens of different series cannot be compared.
    public let series: String
    /// The number in the series, which rises with each lease.
    public let number: Int64

    /// Makes a token.
    public init(series: String, number: Int64) {
        self.series = series
        self.number = number
    }

    /// Whether this token's lease ended before the other began.
    public func isStale(after other: LeaseToken) -> Bool { series == other.series && number < other.number }
}
