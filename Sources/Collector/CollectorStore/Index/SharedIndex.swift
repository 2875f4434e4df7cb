internal import Foundation
internal import GRDB
internal import Primitives

/// Whether the index lacks acknowledged frames, so that a reader must wait for a commit. Thread-safe.
final class IndexLag: @unchecked Sendable {  // `condition` guards all mutable state
    private let condition = NSCondition()
    private var isBehind = false
    private var waiting = 0
    private var wake: @Sendable () -> Void = {}
    /// If the disk hangs, readers continue with the committed state.
    private static let patience = 5.0

    /// Sets what tells the writer thread that a reader waits.
    func onWait(_ wake: @escaping @Sendable () -> Void) {
        condition.lock()
        self.wake = wake
        condition.unlock()
    }

    func begin() {
        condition.lock()
        isBehind = true
        condition.unlock()
    }

    func end() {
        condition.lock()
        isBehind = false
        condition.broadcast()
        condition.unlock()
    }

    /// Whether a reader waits for the commit.
    var isWaitedFor: Bool {
        condition.lock()
        defer { condition.unlock() }
        return waiting > 0
    }

    /// Waits, at most five seconds, until the writer thread has committed everything acknowledged by now, which
    /// happens after the current group. Never call it on the writer thread while the index is behind.
    func wait() {
        condition.lock()
        defer { condition.unlock() }
        guard isBehind else { return }
        waiting += 1
        defer { waiting -= 1 }
        wake()
        let end = Date(timeIntervalSinceNow: Self.patience)
        while isBehind, condition.wait(until: end) {}
    }
}

/// The index for readers.
final class SharedIndex: Sendable {
    let pool: Locked<DatabasePool>
    let swap = SegmentSwap()
    let lag = IndexLag()

    init(_ pool: DatabasePool) { self.pool = Locked(pool) }

    /// Runs `body` on a consistent state of the index that includes everything acknowledged before the call.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        lag.wait()
        return try pool.withLock { $0 }.read(body)
    }
}
