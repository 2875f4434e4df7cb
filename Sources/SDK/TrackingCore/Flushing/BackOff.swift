/// The wait after failures, with full jitter:
/// <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter>
package enum BackOff {
    private static let leastWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(900)

    /// A random wait: at most 2 seconds after the first failure, 4 after the next, up to 15 minutes; at least 1 second.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures before this one.
    ///   - jitter: Returns a random wait of at most the given duration.
    package static func wait(failures: Int, jitter: (Duration) -> Duration) -> Duration {
        max(leastWait, jitter(min(longestWait, .seconds(2 << min(failures, 16)))))
    }
}
