internal import CommandSupport
internal import DeliveryHTTP

/// Limits how long and how often a command waits for a collector that is temporarily unavailable, without progress.
struct CollectorPatience {
    /// The total for one request.
    private static let longest = Duration.seconds(60)
    /// The maximum number of retries.
    private static let most = 5

    private var waited = Duration.zero
    private var retries = 0
    /// The next wait, if the response has no Retry-After.
    private var usual = Duration.seconds(1)

    /// The delay before the request is retried.
    ///
    /// - Parameter hasAnswered: Whether the collector has responded before. If not, the address is probably wrong.
    /// - Throws: `CollectorError` if a retry cannot succeed; ``CommandFailure`` if the wait would be too long.
    mutating func wait(after error: CollectorError, hasAnswered: Bool) throws -> Duration {
        guard error.isTransient else { throw error }
        let wait = error.retryAfter ?? usual
        guard error.code == .unavailable || hasAnswered, waited + wait <= Self.longest, retries < Self.most else {
            throw CommandFailure(error).advising(
                error.retryAfter.map { "try again in \($0.components.seconds) s" } ?? "try again later")
        }
        waited += wait
        retries += 1
        usual *= 2
        return wait
    }
}
