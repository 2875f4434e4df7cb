package import EventLog
internal import Primitives

extension LogSystem {
    /// A system that inverts a quarter of the results about whether writers are alive, at random.
    package static func misjudging(seed: UInt64) -> LogSystem {
        let random = Locked(SplitMix64(seed: seed))
        var system = LogSystem()
        system.judge = { isAlive in random.withLock { $0.next() & 3 == 0 } ? !isAlive : isAlive }
        return system
    }
}
