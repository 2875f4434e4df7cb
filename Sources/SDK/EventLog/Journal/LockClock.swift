internal import Foundation

/// The time in which a thread waits for the lock of a control file.
package struct LockClock: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    let sleep: @Sendable (_ microseconds: UInt32) -> Void

    /// The system's time.
    package static let system = LockClock(now: { .now }, sleep: { usleep($0) })
}
