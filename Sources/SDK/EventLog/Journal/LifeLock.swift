internal import Foundation
internal import Primitives

/// A lock on a journal's file that its writer holds for its life. The system gives it back when the process ends,
/// however it ends, and every other process sees that, in whatever container it runs.
///
/// It is `flock(2)` on a descriptor that is used for nothing else. Mapping the file by the same descriptor would keep
/// the lock in a forked child, for as long as the mapping lives there. `exec` closes the descriptor; in a forked child
/// a handler does, and never unlocks: both processes have one lock between them, and unlocking would end the parent's.
/// The parent unlocks before it closes: no handler runs in a child that `posix_spawn` makes, so that the child has the
/// descriptor, and with it the lock, until it calls `exec`.
package final class LifeLock: Sendable {
    private let descriptor: CInt
    private let process = ForkGuard.generation

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit {
        // In a forked child it is closed, and its number may be another file's.
        guard process == ForkGuard.generation else { return }
        LifeLockTable.withLock {
            LifeLockTable.remove(descriptor)
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// What came of asking for a lock.
    package enum Attempt {
        case taken(LifeLock)
        /// Somebody has it.
        case held
        /// The file system has no locks, or the file can't be opened.
        case failed(SystemError)
    }

    /// Asks for the lock of a file, without waiting.
    package static func take(_ path: String) -> Attempt {
        LifeLockTable.withLock {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { return .failed(SystemError("open", path: path)) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = SystemError("flock", path: path)
                close(descriptor)
                return error.code == EWOULDBLOCK ? .held : .failed(error)
            }
            LifeLockTable.add(descriptor)
            return .taken(LifeLock(descriptor))
        }
    }

    /// Whether somebody holds the lock of a file. Where that can't be told, yes: it delays, and loses nothing.
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
/// A fork waits until nobody opens or closes one: else the child could be left with a descriptor that is in no table.
private enum LifeLockTable {
    // All under the mutex.
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
        remove(-1)  // Everything is initialised before the first fork.
        _ = ForkGuard.generation
        pthread_atfork(
            { pthread_mutex_lock(LifeLockTable.mutex) },
            { pthread_mutex_unlock(LifeLockTable.mutex) },
            {
                ForkGuard.noteFork()
                // Only close(2): hardly anything else is safe here.
                for index in 0..<LifeLockTable.count { close(LifeLockTable.descriptors[index]) }
                LifeLockTable.count = 0
                pthread_mutex_unlock(LifeLockTable.mutex)
            })
        return true
    }()

    /// Must have run before the first fork that matters.
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
            (descriptors, capacity) = (larger, 2 * capacity)
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

/// Tells a process from the child that it forked, without a system call.
enum ForkGuard {
    private static let count = Atomic(0)

    /// Another number in a forked child.
    @inline(__always)
    static var generation: Int { count.load(ordering: .relaxed) }

    /// Starts the counting of forks. Must be called once before the first fork that matters.
    static func install() { LifeLockTable.install() }

    fileprivate static func noteFork() { count.wrappingAdd(1, ordering: .relaxed) }
}
