internal import CollectorIntake
package import EventModel
internal import Primitives

/// Limits the events or bytes per second of a key or an install, with one token bucket for each. Only the most recent
/// buckets are in memory.
///
/// Thread-safe. An evicted bucket is full when it is needed again, so memory stays bounded and eviction never
/// rejects a sender.
package final class EventQuota: Sendable {
    package struct Rate: Equatable, Sendable {
        /// Tokens added per second; 0 disables the quota.
        package var perSecond: Int
        /// The capacity of a bucket.
        package var burst: Int

        package init(perSecond: Int, burst: Int) {
            self.perSecond = perSecond
            self.burst = burst
        }

        /// The share of one address: a quarter.
        var ofAddress: Rate { Rate(perSecond: perSecond == 0 ? 0 : max(1, perSecond / 4), burst: max(1, burst / 4)) }

        /// The rate of rejected work of an address: as much as its share, within a second.
        var ofRejected: Rate { Rate(perSecond: ofAddress.perSecond, burst: max(1, ofAddress.perSecond)) }

        /// The rate in bytes of a rate in events: ``/CollectorIntake/IntakeLimits/bytesPerEvent`` for each.
        var inBytes: Rate {
            func bytes(_ events: Int) -> Int { IntakeLimits.bytesPerEvent * min(events, 1 << 44) }
            return Rate(perSecond: bytes(perSecond), burst: bytes(burst))
        }
    }

    private struct Bucket {
        var tokens: Double
        var time: Int64
    }

    /// A minute, in microseconds: more than the time between the arrival of a request and the moment at which it is counted.
    private static let longestRequest: Int64 = 60_000_000

    private let rate: Rate
    private let maximumBuckets: Int
    private let buckets = Locked<[String: Bucket]>([:])

    /// - Parameter maximumBuckets: How many senders are remembered, at about 100 bytes each.
    package init(_ rate: Rate, maximumBuckets: Int = 100_000) {
        self.rate = rate
        self.maximumBuckets = maximumBuckets
    }

    /// How full a sender's bucket is, from 0 to 1.
    package func fill(of sender: String, at now: EventTime) -> Double {
        guard rate.perSecond > 0 else { return 1 }
        return buckets.withLock { bucket(of: sender, in: $0, at: now).tokens / Double(rate.burst) }
    }

    private func bucket(of sender: String, in buckets: [String: Bucket], at now: EventTime) -> Bucket {
        guard var bucket = buckets[sender] else { return Bucket(tokens: Double(rate.burst), time: now.microseconds) }
        let elapsed = max(0, Double(now.microseconds - bucket.time) / 1e6)
        bucket.tokens = min(Double(rate.burst), bucket.tokens + elapsed * Double(rate.perSecond))
        // Requests arrive in almost the right order; an earlier time means that the clock was set back.
        let isSetBack = now.microseconds < bucket.time - Self.longestRequest
        bucket.time = isSetBack ? now.microseconds : max(bucket.time, now.microseconds)
        return bucket
    }

    /// Consumes tokens for a request's events. A request with more events than a full bucket needs a full bucket.
    ///
    /// - Parameter reserve: The part of a full bucket, from 0 to 1, that the request must leave for others.
    /// - Returns: nil; or, if there are too few tokens, the seconds until there are enough, and no token is
    ///   consumed.
    package func consume(
        _ events: Int, of sender: String, at now: EventTime, leaving reserve: Double = 0
    ) -> Double? {
        guard rate.perSecond > 0 else { return nil }
        let cost = Double(min(events, rate.burst))
        let needed = min(cost + reserve * Double(rate.burst), Double(rate.burst))
        return buckets.withLock { buckets in
            var bucket = bucket(of: sender, in: buckets, at: now)
            let wait = bucket.tokens >= needed ? nil : (needed - bucket.tokens) / Double(rate.perSecond)
            if wait == nil { bucket.tokens -= cost }
            set(bucket, of: sender, in: &buckets, at: now)
            return wait
        }
    }

    /// Consumes tokens for work that is done: more than there are.
    package func charge(_ events: Int, to sender: String, at now: EventTime) {
        guard rate.perSecond > 0 else { return }
        buckets.withLock { buckets in
            var bucket = bucket(of: sender, in: buckets, at: now)
            bucket.tokens -= Double(events)
            set(bucket, of: sender, in: &buckets, at: now)
        }
    }

    /// The seconds until a sender has paid what it was charged; nil if it has.
    package func debt(of sender: String, at now: EventTime) -> Double? {
        guard rate.perSecond > 0 else { return nil }
        let tokens = buckets.withLock { bucket(of: sender, in: $0, at: now).tokens }
        return tokens < 0 ? -tokens / Double(rate.perSecond) : nil
    }

    private func set(_ bucket: Bucket, of sender: String, in buckets: inout [String: Bucket], at now: EventTime) {
        if buckets[sender] == nil, buckets.count >= maximumBuckets { forget(&buckets, at: now) }
        buckets[sender] = bucket
    }

    /// Returns the tokens of a request that is rejected for another reason.
    package func refund(_ events: Int, of sender: String) {
        guard rate.perSecond > 0 else { return }
        buckets.withLock { buckets in
            guard let tokens = buckets[sender]?.tokens else { return }
            buckets[sender]?.tokens = min(Double(rate.burst), tokens + Double(min(events, rate.burst)))
        }
    }

    /// Evicts the buckets that are full; if there are none, all buckets.
    private func forget(_ buckets: inout [String: Bucket], at now: EventTime) {
        let before = buckets.count
        buckets = buckets.filter { _, bucket in
            let elapsed = max(0, Double(now.microseconds - bucket.time) / 1e6)
            return bucket.tokens + elapsed * Double(rate.perSecond) < Double(rate.burst)
        }
        if buckets.count == before { buckets.removeAll() }
    }
}
