internal import Foundation
internal import Primitives

/// A file whose bytes are shared with all processes that map it. What is stored in the mapping is in the system's
/// memory at once: it survives the end of the process, not that of the system.
///
/// Touching a page that somebody has cut off the file's end kills the process (SIGBUS): whoever maps it compares ``currentSize`` with ``size`` from time to time.
package final class MappedFile: @unchecked Sendable {  // the mapping's users bring their own order: locks and atomics
    let path: String
    package let size: Int
    package let bytes: UnsafeMutableRawPointer
    let descriptor: CInt
    private let inode: UInt64

    /// Maps an open file of at least `size` bytes, and takes the descriptor over.
    ///
    /// - Throws: ``SystemError``; the descriptor is closed then.
    package init(path: String, descriptor: CInt, size: Int, isWritable: Bool) throws {
        let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError("fstat", path: path)
            close(descriptor)
            throw error
        }
        guard let mapped = mmap(nil, size, protection, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED else {
            let error = SystemError("mmap", path: path)
            close(descriptor)
            throw error
        }
        self.path = path
        self.size = size
        self.descriptor = descriptor
        inode = UInt64(status.st_ino)
        bytes = mapped
    }

    deinit {
        munmap(bytes, size)
        close(descriptor)
    }

    /// Whether the file that stands under the name is this one.
    var isNamed: Bool {
        var status = stat()
        return stat(path, &status) == 0 && UInt64(status.st_ino) == inode
    }

    /// Whether nothing but zeros is in it.
    var isBlank: Bool { bytes.load(as: UInt8.self) == 0 && memcmp(bytes, bytes + 1, size - 1) == 0 }

    /// The file's length now.
    var currentSize: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Gives a file that was cut its length back, so that touching it kills nobody. What was cut reads as zeros.
    func restoreSize(_ size: Int? = nil) { _ = ftruncate(descriptor, off_t(size ?? self.size)) }

    /// Puts the file's disk space aside, so that writing to the mapping cannot fail for want of it.
    ///
    /// - Throws: ``SystemError``, ENOSPC among them.
    static func preallocate(_ descriptor: CInt, size: Int, path: String) throws {
        #if canImport(Darwin)
            var store = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(size),
                fst_bytesalloc: 0)
            guard fcntl(descriptor, F_PREALLOCATE, &store) != -1 else { throw SystemError("fcntl", path: path) }
            guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError("ftruncate", path: path) }
        #else
            var code: CInt
            repeat { code = posix_fallocate(descriptor, 0, off_t(size)) } while code == EINTR
            guard code == 0 else { throw SystemError("posix_fallocate", code: code, path: path) }
        #endif
    }

    /// Makes the mapping's pages present and writable, so that the first one to write there does not wait for it.
    func populate() {
        #if os(Linux)
            // MADV_POPULATE_WRITE, Linux 5.14; older ones answer EINVAL and take a page fault at first use instead.
            _ = madvise(bytes, size, 23)
        #endif
    }
}

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
    let call: String
    package let code: CInt
    let path: String

    package init(_ call: String, path: String) { self.init(call, code: errno, path: path) }

    init(_ call: String, code: CInt, path: String) {
        self.call = call
        self.code = code
        self.path = path
    }

    package var description: String { "\(path): \(call): \(String(cString: strerror(code)))" }
}

/// A 64-bit number in memory that several processes share; every access is atomic.
package struct SharedWord: @unchecked Sendable {  // every access is atomic
    private let word: AtomicWord

    /// The word at an offset, which is a multiple of eight.
    init(_ base: UnsafeMutableRawPointer, offset: Int) {
        word = AtomicWord((base + offset).assumingMemoryBound(to: UInt64.self))
    }

    /// Sees everything that was stored before the value that is read was published.
    @inline(__always)
    package func load() -> UInt64 { word.load(ordering: .acquiring) }

    /// Publishes what was stored before.
    @inline(__always)
    package func publish(_ value: UInt64) { word.store(value, ordering: .releasing) }

    /// Stores `new` if the word is `old`.
    @inline(__always)
    func exchange(_ old: UInt64, for new: UInt64) -> Bool {
        word.compareExchange(
            expected: old, desired: new, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring
        ).exchanged
    }

    /// Stores a value, and gives the former one.
    func swap(for new: UInt64) -> UInt64 { word.exchange(new, ordering: .sequentiallyConsistent) }

    /// Sees what anybody stored in order before; stays in its place among other accesses in order.
    @inline(__always)
    func loadInOrder() -> UInt64 { word.load(ordering: .sequentiallyConsistent) }

    /// Stores a value that no later access in order overtakes.
    func storeInOrder(_ value: UInt64) { word.store(value, ordering: .sequentiallyConsistent) }

    /// Sets bits.
    func add(bits: UInt64) { word.bitwiseOr(bits, ordering: .sequentiallyConsistent) }

    /// Adds, and gives the sum.
    @discardableResult
    func add(_ value: UInt64) -> UInt64 { word.wrappingAdd(value, ordering: .relaxed).newValue }

    /// Takes off, but not below zero.
    func subtract(_ value: UInt64) {
        var old = word.load(ordering: .relaxed)
        while true {
            let (done, original) = word.compareExchange(
                expected: old, desired: old - min(old, value), ordering: .relaxed)
            if done { return }
            old = original
        }
    }

    /// Adds one, and gives the sum.
    @inline(__always)
    @discardableResult
    package func increment() -> UInt64 { word.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

    /// Stores the larger of the word and `value`.
    func raise(to value: UInt64) { word.max(value, ordering: .sequentiallyConsistent) }
}
