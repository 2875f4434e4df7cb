internal import Dispatch
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

/// The readers of an index database, which can be closed while other threads begin to read.
///
/// GRDB's `close()` waits for active reads. A read that begins meanwhile waits for the end of `close()`, and then uses a
/// closed connection, which ends the process (GRDB 7.10, `DatabasePool.read`). Here such a read gets an error instead.
final class IndexReaders: Sendable {
    private let pool: DatabasePool
    private let isClosed = Locked(false)
    private let active = DispatchGroup()

    init(_ pool: DatabasePool) { self.pool = pool }

    /// Runs `body` with the pool.
    ///
    /// - Throws: ``StoreError`` with `closed`; errors of `body`.
    func use<Result>(_ body: (DatabasePool) throws -> Result) throws -> Result {
        let mayRead = isClosed.withLock { isClosed in
            if !isClosed { active.enter() }
            return !isClosed
        }
        guard mayRead else {
            throw StoreError(.closed, "the index is closed, because the collector shuts down or rebuilds it; try again")
        }
        defer { active.leave() }
        return try body(pool)
    }

    /// Closes the pool after the active reads.
    ///
    /// - Throws: `DatabaseError`.
    func close() throws {
        isClosed.withLock { $0 = true }
        active.wait()
        try pool.close()
    }
}

/// The index for readers.
final class SharedIndex: Sendable {
    let readers: Locked<IndexReaders>
    let swap = SegmentSwap()
    let lag = IndexLag()

    init(_ readers: IndexReaders) { self.readers = Locked(readers) }

    /// Runs `body` on a consistent state of the index that includes everything acknowledged before the call.
    ///
    /// - Throws: ``StoreError`` with `closed`; errors of `body`.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        lag.wait()
        return try readers.withLock { $0 }.use { try $0.read(body) }
    }
}
