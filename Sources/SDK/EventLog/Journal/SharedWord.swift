internal import Synchronization

/// A 64-bit number in memory that several processes share; every access is atomic.
struct SharedWord: @unchecked Sendable {  // every access is atomic
    private let word: UnsafeMutablePointer<Atomic<UInt64>>

    /// The word at an offset, which is a multiple of eight.
    init(_ base: UnsafeMutableRawPointer, offset: Int) {
        word = (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Sees everything that was stored before the value that is read was published.
    @inline(__always)
    func load() -> UInt64 { word.pointee.load(ordering: .acquiring) }

    /// Publishes what was stored before.
    @inline(__always)
    func publish(_ value: UInt64) { word.pointee.store(value, ordering: .releasing) }

    /// Stores `new` if the word is `old`.
    @inline(__always)
    func exchange(_ old: UInt64, for new: UInt64) -> Bool {
        word.pointee.compareExchange(
            expected: old, desired: new, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring
        ).exchanged
    }

    /// Adds one, and gives the sum.
    @inline(__always)
    @discardableResult
    func increment() -> UInt64 { word.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

    /// Stores the larger of the word and `value`.
    func raise(to value: UInt64) { word.pointee.max(value, ordering: .sequentiallyConsistent) }
}
