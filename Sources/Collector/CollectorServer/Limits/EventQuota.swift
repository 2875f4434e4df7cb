#if Collector
    package import EventModel
    internal import Primitives

    /// How many events a second a key or an install may send: one token bucket for each, the most recent ones in memory.
    ///
    /// Safe from any thread. A bucket that is forgotten is full again, so memory stays bounded and no sender is refused for it.
    package final class EventQuota: Sendable {
        package struct Rate: Equatable, Sendable {
            /// Tokens that come back each second; 0 switches the quota off.
            package var perSecond: Int
            /// The most events at once.
            package var burst: Int

            package init(perSecond: Int, burst: Int) { (self.perSecond, self.burst) = (perSecond, burst) }
        }

        private struct Bucket {
            var tokens: Double
            var time: Int64
        }

        private let rate: Rate
        private let maximumBuckets: Int
        private let buckets = Locked<[String: Bucket]>([:])

        /// - Parameter maximumBuckets: How many senders are remembered: some 100 bytes each.
        package init(_ rate: Rate, maximumBuckets: Int = 100_000) {
            (self.rate, self.maximumBuckets) = (rate, maximumBuckets)
        }

        /// Takes tokens for a request's events. A request with more events than a full bucket needs a full bucket.
        ///
        /// - Returns: nil, or the seconds after which there are enough; nothing is taken then.
        package func take(_ events: Int, of sender: String, at now: EventTime) -> Double? {
            guard rate.perSecond > 0 else { return nil }
            let cost = Double(min(events, rate.burst))
            return buckets.withLock { buckets in
                var bucket = buckets[sender] ?? Bucket(tokens: Double(rate.burst), time: now.microseconds)
                let elapsed = max(0, Double(now.microseconds - bucket.time) / 1e6)
                bucket.tokens = min(Double(rate.burst), bucket.tokens + elapsed * Double(rate.perSecond))
                bucket.time = max(bucket.time, now.microseconds)
                let wait = bucket.tokens >= cost ? nil : (cost - bucket.tokens) / Double(rate.perSecond)
                if wait == nil { bucket.tokens -= cost }
                if buckets[sender] == nil, buckets.count >= maximumBuckets { forget(&buckets, at: now) }
                buckets[sender] = bucket
                return wait
            }
        }

        /// Gives tokens back that were taken for a request that is refused for another reason.
        package func give(_ events: Int, of sender: String) {
            guard rate.perSecond > 0 else { return }
            buckets.withLock { buckets in
                guard let tokens = buckets[sender]?.tokens else { return }
                buckets[sender]?.tokens = min(Double(rate.burst), tokens + Double(min(events, rate.burst)))
            }
        }

        /// Forgets the buckets that are full by now; if there are none, all of them.
        private func forget(_ buckets: inout [String: Bucket], at now: EventTime) {
            let before = buckets.count
            buckets = buckets.filter { _, bucket in
                let elapsed = max(0, Double(now.microseconds - bucket.time) / 1e6)
                return bucket.tokens + elapsed * Double(rate.perSecond) < Double(rate.burst)
            }
            if buckets.count == before { buckets.removeAll() }
        }
    }
#endif
