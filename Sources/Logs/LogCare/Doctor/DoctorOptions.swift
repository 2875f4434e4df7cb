internal import EventLog
package import EventModel

/// How closely ``LogDoctor`` looks, and from when on it complains.
package struct DoctorOptions: Sendable {
    /// Whether every line is read and every index compared; otherwise lines are sampled.
    package var isThorough = false
    /// A step back in time by more than this, or a time so far in the future, is a jump of the clock.
    package var clockJump = Duration.seconds(60)
    /// What is late.
    package var now: EventTime

    /// Makes options.
    package init(now: EventTime) { self.now = now }

    /// An event that a consumer has not had after this time is late.
    static let lateAfter = Duration.seconds(86_400)
    /// A write-ahead log of more than this does not get its checkpoints: the mover cuts it back to 4 MiB.
    static let largeWriteAheadLog: Int64 = 16 << 20
    /// Free space below this, or below the log's size, is little.
    static let littleSpace: Int64 = 100_000_000
    /// How many lines are read if not all.
    static let sampledLines: Int64 = 10_000
}
