import CrashSupport
import Foundation
internal import Primitives

/// The intended moment of a kill.
enum KillAim: CaseIterable {
    case exec, start, opening, sending, flushing, rotating, delivered, checkpointing, closing

    /// Selects a moment at random; sending is the most frequent.
    static func draw(using random: inout SplitMix64) -> KillAim {
        let bag = allCases + [.start, .sending, .sending, .sending, .flushing, .rotating, .delivered, .checkpointing]
        return bag.randomElement(using: &random) ?? .sending
    }

    /// The number of events that each lane sends: few if the kill is intended for a later moment.
    func eventCount(using random: inout SplitMix64) -> Int? {
        self == .closing ? Int.random(in: 1...100, using: &random) : nil
    }

    /// The notebook's activity at that moment; nil if there is none.
    private var activity: Activity? {
        switch self {
        case .exec, .start: nil
        case .opening: .opening
        case .sending: .sending
        case .flushing: .flushing
        case .rotating: .rotating
        case .delivered: .delivered
        case .checkpointing: .checkpointing
        case .closing: .closing
        }
    }

    /// Kills a sender at that moment or slightly later; the sender may end first.
    ///
    /// - Returns: How it ended; nil if it hung.
    func strike(_ sender: RunningSender, using random: inout SplitMix64) -> ChildEnd? {
        switch self {
        case .exec: usleep(UInt32.random(in: 0...5_000, using: &random))
        case .start: usleep(UInt32.random(in: 5_000...40_000, using: &random))
        case .sending:
            _ = sender.wait(seconds: 20) { sender.notebook.acknowledged > 0 }
            usleep(UInt32.random(in: 0...80_000, using: &random))
        case .opening, .flushing, .rotating, .delivered, .checkpointing, .closing:
            if let activity {
                if self == .delivered {
                    // An earlier delivery may be over for long; only right after a delivery is its cursor not stored.
                    _ = sender.wait(seconds: 20, spins: true) { !sender.notebook.activity.contains(activity) }
                }
                _ = sender.wait(seconds: 20, spins: true) { sender.notebook.activity.contains(activity) }
            }
            // Usually immediately, sometimes up to 2 ms later.
            let longest = [0, 50, 300, 2_000].randomElement(using: &random) ?? 0
            Self.spin(microseconds: Int64.random(in: 0...Int64(longest), using: &random))
        }
        sender.child.kill()
        return sender.child.wait(seconds: 20)
    }

    /// Waits more precisely than a sleep.
    private static func spin(microseconds: Int64) {
        let end = ContinuousClock.now + .microseconds(microseconds)
        while ContinuousClock.now < end { sched_yield() }
    }
}
