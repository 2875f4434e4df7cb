/// A value that several threads read and change at the same time without a lock.
///
/// ```swift
/// private let count = Atomic(0)
/// count.wrappingAdd(1, ordering: .relaxed)
/// ```
///
/// The subset of the standard library's `Atomic` that this package uses, since that type requires macOS 15 and iOS 18.
/// The value is in a separately allocated 64-bit word, whose address never changes.
@usableFromInline
package struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {  // every access is atomic
    @usableFromInline let word: AtomicWord

    @inlinable
    package init(_ value: consuming Value) {
        let address = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        address.initialize(to: value.atomicWord)
        word = AtomicWord(address)
    }

    @inlinable
    deinit { word.address.deallocate() }

    @inlinable
    @inline(__always)
    package func load(ordering: AtomicLoadOrdering) -> Value {
        defer { _fixLifetime(self) }
        return Value(atomicWord: word.load(ordering: ordering))
    }

    @inlinable
    @inline(__always)
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        word.store(value.atomicWord, ordering: ordering)
        _fixLifetime(self)
    }

    /// Stores a value, and returns the previous one.
    @inlinable
    @inline(__always)
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        defer { _fixLifetime(self) }
        return Value(atomicWord: word.exchange(value.atomicWord, ordering: ordering))
    }

    /// Stores `desired` if the value is `expected`.
    ///
    /// - Returns: Whether it was stored, and the previous value.
    @inlinable
    @inline(__always)
    package func compareExchange(
        expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
        defer { _fixLifetime(self) }
        let (exchanged, original) = word.compareExchange(
            expected: expected.atomicWord, desired: desired.atomicWord, successOrdering: successOrdering,
            failureOrdering: failureOrdering)
        return (exchanged, Value(atomicWord: original))
    }

    /// Stores `desired` if the value is `expected`, with the failure ordering that matches the success ordering.
    @inlinable
    @inline(__always)
    package func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        compareExchange(
            expected: expected, desired: desired, successOrdering: ordering, failureOrdering: ordering.failure)
    }

    /// Like `compareExchange`, but may fail spuriously: cheaper in a loop.
    @inlinable
    @inline(__always)
    package func weakCompareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        defer { _fixLifetime(self) }
        let (exchanged, original) = word.weakCompareExchange(
            expected: expected.atomicWord, desired: desired.atomicWord, ordering: ordering)
        return (exchanged, Value(atomicWord: original))
    }
}

extension Atomic where Value: FixedWidthInteger {
    /// Adds with wraparound.
    @inlinable
    @inline(__always)
    @discardableResult
    package func wrappingAdd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        if Value.bitWidth == UInt64.bitWidth {
            defer { _fixLifetime(self) }
            let old = Value(atomicWord: word.wrappingAdd(value.atomicWord, ordering: ordering).oldValue)
            return (old, old &+ value)
        }
        // Wraps at the size of the value, not of the word.
        var old = load(ordering: .relaxed)
        while true {
            let (isAdded, found) = weakCompareExchange(expected: old, desired: old &+ value, ordering: ordering)
            if isAdded { return (old, old &+ value) }
            old = found
        }
    }
}
