import StreamClient

/// A device with the SDK: what its log has, and how it delivers. Mirrors `SQLiteEventStore` (sealed batches, discards,
/// generations), `SinkRunner` (pauses, wakes) and `HTTPSink` (requested numbers).
final class Device {
    /// What happens to it at a session.
    enum LifeEvent {
        /// Its clock is changed by this much.
        case clockJump(Int64)
        case reinstall
        /// A copy of the log continues on another device.
        case clone(hasOtherSecret: Bool)
        case backUp
        /// The log of the last backup replaces the log.
        case restore
        /// It is never seen again.
        case vanish
        /// Its user opts out: what was not delivered is erased.
        case erase
    }

    let number: Int
    var install: Install
    var branch: Int32
    var secret: Secret
    /// The last number of the log.
    var last: Int64 = 0
    /// Numbers up to it are delivered.
    var cursor: Int64 = 0
    /// Numbers up to it were acknowledged. Only for invariants.
    var confirmed: Int64 = 0
    /// The lines of the log, in order, delivered ones for some days.
    var log: [Piece] = []
    /// Numbers without a line, with the reason.
    var discarded: [StreamMessage.AbsentNumbers] = []
    var sealed: Batch?
    /// The number from which a collector requested lines again, and those that were delivered again before.
    var wanted: Int64?
    var served: Set<Int64> = []

    var sessionsPerDay = 2.0
    var eventsPerSession = 10.0
    /// Whether the app runs between sessions, so that it can retry at any time.
    var runsAlways = false
    /// The number of waiting lines above which the oldest are discarded.
    var logLimit: Int64 = 100_000
    var lifeEvents: [(time: Microseconds, event: LifeEvent)] = []
    var backup: Device?

    var clockError: Int64 = 0
    var offlineUntil: Microseconds = 0
    var isLost = false
    var failures = 0
    var pausedUntil: Microseconds = 0
    var hasWake = false
    /// The current request; 0 for none. An answer to another one is ignored.
    var request: UInt32 = 0
    /// The installs that it left after 409.
    var formerInstalls: Set<Int> = []
    /// The last session, until when the app can retry.
    var activeUntil: Microseconds = 0

    init(number: Int, _ install: Install, branch: Int32, _ secret: Secret) {
        (self.number, self.install, self.branch, self.secret) = (number, install, branch, secret)
    }

    /// The same log on another device.
    func copy(number: Int) -> Device {
        let copy = Device(number: number, install, branch: branch, secret)
        copy.takeLog(of: self)
        (copy.sessionsPerDay, copy.eventsPerSession) = (sessionsPerDay, eventsPerSession)
        (copy.runsAlways, copy.logLimit) = (runsAlways, logLimit)
        return copy
    }

    /// Replaces the log.
    func takeLog(of other: Device) {
        (install, branch, secret) = (other.install, other.branch, other.secret)
        (last, cursor, confirmed) = (other.last, other.cursor, other.confirmed)
        (log, discarded, sealed) = (other.log, other.discarded, other.sealed)
        (wanted, served, formerInstalls) = (nil, [], other.formerInstalls)
        (failures, pausedUntil) = (other.failures, other.pausedUntil)
    }

    /// The index of the first piece with a number of at least `seq`.
    func piece(from seq: Int64) -> Int {
        var index = log.count
        while index > 0, log[index - 1].seqs.upperBound >= seq { index -= 1 }
        return index
    }

    /// The lines after a number.
    func waiting(after seq: Int64) -> [Piece] {
        log[piece(from: seq + 1)...].compactMap { $0.clamped(to: seq + 1...max(seq + 1, last)) }
    }

    /// The discarded numbers after a number.
    func discards(after seq: Int64) -> [StreamMessage.AbsentNumbers] {
        guard let newest = discarded.last, newest.seqs.upperBound > seq else { return [] }
        return discarded.compactMap { absent in
            guard absent.seqs.upperBound > seq else { return nil }
            var absent = absent
            absent.seqs = max(seq + 1, absent.seqs.lowerBound)...absent.seqs.upperBound
            return absent
        }
    }
}
