#if canImport(Darwin)
    public import Darwin
#elseif canImport(Musl)
    public import Musl
#else
    public import Glibc
#endif

/// A value that only one thread at a time can access.
///
/// ```swift
/// let count = Locked(0)
/// count.withLock { $0 += 1 }
/// ```
///
/// Copies share the value. Unlike the standard library's `Mutex`, ThreadSanitizer supports this lock on Linux, and a
/// contended lock usually needs no system call: waiting threads spin for a moment first. Not recursive: locking it
/// again in `body` deadlocks.
@usableFromInline
package struct Locked<Value>: @unchecked Sendable {  // the lock in the buffer guards the value next to it
    @usableFromInline let buffer: ManagedBuffer<Value, LockPrimitive>
    // Pointers into the buffer. Reading them from the buffer each time would retain and release it.
    @usableFromInline let value: UnsafeMutablePointer<Value>
    @usableFromInline let lock: UnsafeMutablePointer<LockPrimitive>

    /// Makes a lock around a value.
    @inlinable
    package init(_ value: sending Value) {
        buffer = LockedBuffer<Value>.create(minimumCapacity: 1) { _ in value }
        (self.value, lock) = buffer.withUnsafeMutablePointers { ($0, $1) }
        LockedBuffer<Value>.start(lock)
    }

    /// Runs `body` with exclusive access to the value. `body` must be short, since other threads wait for it.
    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        LockedBuffer<Value>.lock(lock)
        defer {
            LockedBuffer<Value>.unlock(lock)
            _fixLifetime(buffer)
        }
        return try body(&value.pointee)
    }
}

#if canImport(Darwin)
    @usableFromInline typealias LockPrimitive = os_unfair_lock_s
#else
    @usableFromInline typealias LockPrimitive = pthread_mutex_t
#endif

/// The memory of a value and its lock, in one allocation.
@usableFromInline
final class LockedBuffer<Value>: ManagedBuffer<Value, LockPrimitive> {
    #if canImport(Darwin)
        @usableFromInline
        static func start(_ lock: UnsafeMutablePointer<LockPrimitive>) { lock.initialize(to: os_unfair_lock_s()) }

        @inlinable
        @inline(__always)
        static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) { os_unfair_lock_lock(lock) }

        @inlinable
        @inline(__always)
        static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) { os_unfair_lock_unlock(lock) }
    #else
        @usableFromInline
        static func start(_ lock: UnsafeMutablePointer<LockPrimitive>) {
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            #if canImport(Glibc)
                pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
            #endif
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, &attributes)
            pthread_mutexattr_destroy(&attributes)
        }

        @inlinable
        @inline(__always)
        static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) { pthread_mutex_lock(lock) }

        @inlinable
        @inline(__always)
        static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) { pthread_mutex_unlock(lock) }
    #endif

    deinit {
        #if !canImport(Darwin)
            _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
        #endif
    }
}
