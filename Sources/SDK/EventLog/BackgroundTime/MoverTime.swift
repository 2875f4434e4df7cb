internal import Primitives

/// The mover's assertion. Lasts from the first event until the mover sleeps, and is renewed regularly. An assertion for
/// each round, 50 per second, would cost more than the move.
struct MoverTime {
    private final class Expiry: Sendable {
        let hasCome = Atomic(false)
    }

    /// The number of 20 ms rounds until renewal: 5 s. UIKit warns about tasks older than 30 s.
    private static let roundsUntilRenewal = 250

    private var assertion: (any BackgroundAssertion)?
    private var expiry = Expiry()
    private var rounds = 0

    /// Begins or renews the assertion. Returns whether a round may run.
    mutating func begin(_ time: SharedBackgroundTime) -> Bool {
        rounds += 1
        if assertion == nil || rounds >= Self.roundsUntilRenewal || expiry.hasCome.load(ordering: .acquiring) {
            end()
            let expiry = Expiry()
            assertion = time.begin("Moving tracked events") { expiry.hasCome.store(true, ordering: .releasing) }
            self.expiry = expiry
        }
        return assertion != nil
    }

    mutating func end() {
        assertion?.end()
        assertion = nil
        rounds = 0
    }
}
