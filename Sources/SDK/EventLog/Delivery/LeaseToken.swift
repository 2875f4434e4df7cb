/// Under which lease of its consumer a batch is delivered.
///
/// A deliverer that was stopped, and did not see its lease end, may come to its sink late. A sink that keeps what it has in
/// a place that several processes reach stores the newest token there, and refuses a batch with a stale one.
public struct LeaseToken: Codable, Hashable, Sendable {
    /// Made with the first lease. Numbers of different series say nothing of each other.
    public let series: String
    /// Rises with each lease.
    public let number: Int64

    /// Makes a token of its parts.
    public init(series: String, number: Int64) {
        self.series = series
        self.number = number
    }

    /// Whether a lease has ended before another began.
    public func isStale(after other: LeaseToken) -> Bool { series == other.series && number < other.number }
}
