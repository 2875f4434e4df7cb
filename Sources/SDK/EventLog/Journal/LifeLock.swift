internal import Foundation
package import Primitives

/// A lock on a journal's file that its writer holds for its whole life. The system releases it when the process ends
/// for any reason, and every other process sees that, in any container.
///
/// Uses `flock(2)` on a separate descriptor. If the file were mapped with the same descriptor, a forked child would
/// keep the lock for as long as the mapping exists there. `exec` closes the descriptor. In a forked child a handler
/// closes it without unlocking, because both processes share the lock, and unlocking would release it for the parent.
/// The parent unlocks before it closes the descriptor: in a child made by `posix_spawn` no handler runs, so that child
/// keeps the descriptor and the lock until it calls `exec`.
package final class LifeLock: Sendable {
    private let descriptor: CInt
    private let process = ForkGuard.generation

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit {
        // In a forked child the descriptor is already closed, and its number may now belong to another file.
        guard process == ForkGuard.generation else { return }
        LifeLockTable.withLock {
            LifeLockTable.remove(descriptor)
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// The result of an attempt to lock.
    package enum Attempt {
        case acquired(LifeLock)
        /// Another process holds the lock.
        case held
        /// The file system has no locks, or the file can't be opened.
        case failed(SystemError)
    }

    /// Tries to lock a file, without waiting.
    package static func acquire(_ path: String) -> Attempt {
        LifeLockTable.withLock {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { return .failed(SystemError("open", path: path)) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = SystemError("flock", path: path)
                close(descriptor)
                return error.code == EWOULDBLOCK ? .held : .failed(error)
            }
            LifeLockTable.add(descriptor)
            return .acquired(LifeLock(descriptor))
        }
    }

    /// Whether a process holds the lock of a file. Returns true if unknown, which costs time, but no event.
    static func isHeld(_ path: String) -> Bool {
        LifeLockTable.withLock {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno != ENOENT }
            defer { close(descriptor) }
            return flock(descriptor, LOCK_SH | LOCK_NB) != 0
        }
    }
}

/// The descriptors of all locks of this process, for the handler that runs in a forked child.
///
/// A fork waits while a descriptor is being opened or closed, so that the child gets no descriptor that is missing in
/// the table.
private enum LifeLockTable {
    // The mutex guards all static members of this table.
    private nonisolated(unsafe) static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        return mutex
    }()
    private nonisolated(unsafe) static var descriptors = UnsafeMutablePointer<CInt>.allocate(capacity: 64)
    private nonisolated(unsafe) static var capacity = 64
    private nonisolated(unsafe) static var count = 0

    private static let isInstalled: Bool = {
        add(-1)
        remove(-1)  // Initialize it before the first fork.
        _ = ForkGuard.generation
        pthread_atfork(
            { pthread_mutex_lock(LifeLockTable.mutex) },
            { pthread_mutex_unlock(LifeLockTable.mutex) },
            {
                ForkGuard.noteFork()
                // Only close(2), because few functions are safe here.
                for index in 0..<LifeLockTable.count { close(LifeLockTable.descriptors[index]) }
                LifeLockTable.count = 0
                pthread_mutex_unlock(LifeLockTable.mutex)
            })
        return true
    }()

    /// Call before the first fork.
    static func install() { _ = isInstalled }

    static func withLock<T>(_ body: () -> T) -> T {
        install()
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    static func add(_ descriptor: CInt) {
        if count == capacity {
            let larger = UnsafeMutablePointer<CInt>.allocate(capacity: 2 * capacity)
            larger.moveInitialize(from: descriptors, count: count)
            descriptors.deallocate()
            descriptors = larger
            capacity = 2 * capacity
        }
        (descriptors + count).initialize(to: descriptor)
        count += 1
    }

    static func remove(_ descriptor: CInt) {
        guard let index = (0..<count).first(where: { descriptors[$0] == descriptor }) else { return }
        count -= 1
        descriptors[index] = descriptors[count]
    }
}

/// Distinguishes a process from a forked child, without a system call.
package enum ForkGuard {
    private static let count = Atomic(0)

    /// A number that differs in a forked child.
    @inline(__always)
    package static var generation: Int { count.load(ordering: .relaxed) }

    /// Starts counting forks. Call once before the first fork.
    package static func install() { LifeLockTable.install() }

    fileprivate static func noteFork() { count.wrappingAdd(1, ordering: .relaxed) }
}
