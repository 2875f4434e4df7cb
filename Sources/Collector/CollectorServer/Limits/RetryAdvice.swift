#if Collector
    package import EventModel
    internal import Primitives

    /// When clients that were refused should come again, spread so that they do not come together. Safe from any thread.
    ///
    /// The spread grows with the number of those that were refused within the last ten seconds: all of them should find room at
    /// the rate at which requests were accepted meanwhile. With jitter on the server, clients without any are spread, too.
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
                (start, refused, accepted) = (now.microseconds, 0, 0)
            }
        }

        private static let length: Int64 = 10_000_000
        /// Seconds.
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

        /// The seconds for `Retry-After`, at random.
        ///
        /// - Parameter least: What the client must wait in any case, such as until its quota is back.
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
#endif
