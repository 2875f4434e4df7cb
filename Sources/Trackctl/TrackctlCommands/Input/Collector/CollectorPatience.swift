internal import CommandSupport
internal import DeliveryHTTP

/// Limits how long a command waits for a collector that is temporarily unavailable.
struct CollectorPatience {
    /// The total for one request.
    private static let longest = Duration.seconds(60)
    /// If the response has no Retry-After.
    private static let usual = Duration.seconds(1)

    private var waited = Duration.zero

    /// The delay before the request is retried.
    ///
    /// - Parameter hasAnswered: Whether the collector has responded before. If not, the address is probably wrong.
    /// - Throws: `CollectorError` if a retry cannot succeed; ``CommandFailure`` if the wait would be too long.
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
