internal import Foundation
internal import Primitives

/// A file whose bytes are shared with all processes that map it. A store to the mapping is immediately in the system's
/// memory: it survives the end of the process, but not of the system.
///
/// Touching a page that another program has truncated kills the process (SIGBUS). Compare ``currentSize`` with ``size``
/// regularly.
package final class MappedFile: @unchecked Sendable {  // Users of the mapping synchronize with locks and atomics.
    let path: String
    package let size: Int
    package let bytes: UnsafeMutableRawPointer
    let descriptor: CInt
    private let inode: UInt64

    /// Maps an open file of at least `size` bytes, and takes ownership of the descriptor.
    ///
    /// - Throws: `SystemError`, after closing the descriptor.
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

    /// Whether the file's name still refers to this file.
    var isNamed: Bool {
        var status = stat()
        return stat(path, &status) == 0 && UInt64(status.st_ino) == inode
    }

    /// Whether all bytes are zero.
    var isBlank: Bool { bytes.load(as: UInt8.self) == 0 && memcmp(bytes, bytes + 1, size - 1) == 0 }

    /// The file's length now.
    var currentSize: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Restores the length of a truncated file, so that touching its pages is safe. The truncated part reads as zeros.
    func restoreSize(_ size: Int? = nil) { _ = ftruncate(descriptor, off_t(size ?? self.size)) }

    /// Allocates the file's disk space, so that a store to the mapping cannot fail on a full disk.
    ///
    /// - Throws: `SystemError`, including ENOSPC.
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

    /// Loads the mapping's pages for writing, so that the first store does not wait for them.
    func populate() {
        #if os(Linux)
            // MADV_POPULATE_WRITE, Linux 5.14. Older versions return EINVAL, and take a page fault at the first use.
            _ = madvise(bytes, size, 23)
        #endif
    }
}

/// A 64-bit number in memory shared between processes; every access is atomic.
package struct SharedWord: @unchecked Sendable {  // Every access is atomic.
    private let word: AtomicWord

    /// The word at an offset, which must be a multiple of eight.
    init(_ base: UnsafeMutableRawPointer, offset: Int) {
        word = AtomicWord((base + offset).assumingMemoryBound(to: UInt64.self))
    }

    /// Loads with acquire order: sees everything that was stored before the value was published.
    @inline(__always)
    package func load() -> UInt64 { word.load(ordering: .acquiring) }

    /// Stores with release order: publishes everything that was stored before.
    @inline(__always)
    package func publish(_ value: UInt64) { word.store(value, ordering: .releasing) }

    /// Stores `new` if the word is `old`. Returns whether it did.
    @inline(__always)
    func exchange(_ old: UInt64, for new: UInt64) -> Bool {
        word.compareExchange(
            expected: old, desired: new, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring
        ).exchanged
    }

    /// Stores a value, and returns the previous one.
    func swap(for new: UInt64) -> UInt64 { word.exchange(new, ordering: .sequentiallyConsistent) }

    /// Loads with sequentially consistent order.
    @inline(__always)
    func loadInOrder() -> UInt64 { word.load(ordering: .sequentiallyConsistent) }

    /// Stores with sequentially consistent order.
    func storeInOrder(_ value: UInt64) { word.store(value, ordering: .sequentiallyConsistent) }

    /// Sets bits.
    func add(bits: UInt64) { word.bitwiseOr(bits, ordering: .sequentiallyConsistent) }

    /// Adds a value, and returns the sum.
    @discardableResult
    func add(_ value: UInt64) -> UInt64 { word.wrappingAdd(value, ordering: .relaxed).newValue }

    /// Subtracts a value, but not below zero.
    func subtract(_ value: UInt64) {
        var old = word.load(ordering: .relaxed)
        while true {
            let (done, original) = word.compareExchange(
                expected: old, desired: old - min(old, value), ordering: .relaxed)
            if done { return }
            old = original
        }
    }

    /// Adds one, and returns the sum.
    @inline(__always)
    @discardableResult
    package func increment() -> UInt64 { word.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

    /// Stores the larger of the word and `value`.
    func raise(to value: UInt64) { word.max(value, ordering: .sequentiallyConsistent) }
}
