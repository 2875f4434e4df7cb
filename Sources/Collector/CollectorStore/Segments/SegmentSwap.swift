#if Collector
    internal import Foundation

    /// Keeps readers from a segment while it is exchanged for a rewritten one: until the index has the new positions, frames are not
    /// where it says.
    final class SegmentSwap: @unchecked Sendable {  // the lock is the system's, and is never moved
        private let lock: UnsafeMutablePointer<pthread_rwlock_t>

        init() {
            lock = .allocate(capacity: 1)
            lock.initialize(to: pthread_rwlock_t())
            pthread_rwlock_init(lock, nil)
        }

        deinit {
            pthread_rwlock_destroy(lock)
            lock.deallocate()
        }

        /// Runs `body` while no segment is exchanged.
        func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
            pthread_rwlock_rdlock(lock)
            defer { pthread_rwlock_unlock(lock) }
            return try body()
        }

        /// Runs `body`, which exchanges a segment, alone.
        func exchanging<Result>(_ body: () throws -> Result) rethrows -> Result {
            pthread_rwlock_wrlock(lock)
            defer { pthread_rwlock_unlock(lock) }
            return try body()
        }
    }
#endif
