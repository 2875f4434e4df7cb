package import EventModel
internal import Primitives

/// Computes `Retry-After` for rejected clients, spread so that their retries do not coincide. Thread-safe.
///
/// The spread grows with the number of clients rejected in the last ten seconds, relative to the rate at which
/// requests were accepted in that time. The jitter on the server also spreads clients that have no jitter.
package final class RetryAdvice: Sendable {
    private struct Window {
        var start: Int64 = 0
        var refused = 0
        var accepted = 0
        var lastRefused = 0
        var lastAccepted = 0

        mutating func advance(to now: EventTime) {
            guard now.microseconds >= start + RetryAdvice.length || now.microseconds < start else { return }
            let isNext = now.microseconds < start + 2 * RetryAdvice.length && now.microseconds >= start
            (lastRefused, lastAccepted) = isNext ? (refused, accepted) : (0, 0)
            start = now.microseconds
            refused = 0
            accepted = 0
        }
    }

    private static let length: Int64 = 10_000_000
    /// In seconds.
    static let shortest = 1
    static let longest = 300
    private let window = Locked(Window())

    package init() {}

    /// Counts a request that was accepted.
    package func accepted(at now: EventTime) {
        window.withLock { window in
            window.advance(to: now)
            window.accepted += 1
        }
    }

    /// Returns a random number of seconds for `Retry-After`.
    ///
    /// - Parameter least: The minimum wait, such as the time until the quota allows the request.
    package func seconds(atLeast least: Double = 0, at now: EventTime) -> Int {
        let spread = window.withLock { window in
            window.advance(to: now)
            window.refused += 1
            let refused = Double(window.refused + window.lastRefused)
            let rate = max(1, Double(window.accepted + window.lastAccepted) / 10)
            return min(Double(Self.longest), max(5, refused / rate))
        }
        let wait = max(Double(Self.shortest), least) + Double.random(in: 0...spread)
        return Int(wait.rounded(.up))
    }
}
