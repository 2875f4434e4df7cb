internal import Foundation
import GRDB
internal import Primitives

/// Waits for another program's lock on the database, like SQLite's busy timeout, and stops when the background time is
/// over, because the log holds its own lock during the wait.
struct BusyWait: Sendable {
    private let timeout: Duration
    private let time: SharedBackgroundTime
    private let start = Locked(ContinuousClock.now)

    init(_ options: SQLiteEventStore.Options) {
        timeout = options.busyTimeout
        time = options.time
    }

    /// Sleeps briefly; returns false if SQLite should not try again.
    func callback(_ attempt: Int) -> Bool {
        let now = ContinuousClock.now
        let start = self.start.withLock { start in
            if attempt == 0 { start = now }
            return start
        }
        let rest = timeout - start.duration(to: now)
        guard rest > .zero, !time.isOver else { return false }
        let pause = min(Duration.milliseconds(1 << min(attempt, 6)), rest)
        usleep(UInt32(clamping: pause.components.attoseconds / 1_000_000_000_000))
        return true
    }
}
