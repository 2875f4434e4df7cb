internal import Primitives

/// The mover's assertion: from the first event that comes until it sleeps, but renewed now and then. Beginning one for each
/// round, fifty a second, would cost more than the move.
struct MoverTime {
    private final class Expiry: Sendable {
        let hasCome = Atomic(false)
    }

    /// Rounds of 20 ms, so some 5 s: UIKit warns of a task that is older than 30 s.
    private static let roundsUntilRenewal = 250

    private var assertion: (any BackgroundAssertion)?
    private var expiry = Expiry()
    private var rounds = 0

    /// Whether a round may begin.
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
        (assertion, rounds) = (nil, 0)
    }
}
