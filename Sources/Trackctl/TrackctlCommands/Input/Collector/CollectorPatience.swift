internal import CommandSupport
internal import DeliveryHTTP

/// How long a command waits for a collector that answers, but not now.
struct CollectorPatience {
    /// In all, for one request.
    private static let longest = Duration.seconds(60)
    /// Without a word from the collector.
    private static let usual = Duration.seconds(1)

    private var waited = Duration.zero

    /// How long to wait before the same request is sent again.
    ///
    /// - Parameter hasAnswered: Whether the collector has answered before. An address that never answered is a wrong one
    ///   more often than not.
    /// - Throws: `CollectorError` if it makes no sense to wait; ``CommandFailure`` if it would take too long.
    mutating func wait(after error: CollectorError, hasAnswered: Bool) throws -> Duration {
        guard error.isTransient else { throw error }
        let wait = error.retryAfter ?? Self.usual
        guard error.code == .unavailable || hasAnswered, waited + wait <= Self.longest else {
            throw CommandFailure(error).advising(
                error.retryAfter.map { "try again in \($0.components.seconds) s" } ?? "try again later")
        }
        waited += wait
        return wait
    }
}
