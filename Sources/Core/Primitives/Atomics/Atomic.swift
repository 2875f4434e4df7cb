/// A value that several threads read and change at the same time without a lock.
///
/// ```swift
/// private let count = Atomic(0)
/// count.wrappingAdd(1, ordering: .relaxed)
/// ```
///
/// The part of the standard library's `Atomic` that this package uses: that one needs macOS 15 and iOS 18. The value has a
/// 64-bit word of memory of its own, whose address never changes.
@usableFromInline
package struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {  // every access is atomic
    @usableFromInline let word: AtomicWord

    /// Makes an atomic value.
    @inlinable
    package init(_ value: consuming Value) {
        let address = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        address.initialize(to: value.atomicWord)
        word = AtomicWord(address)
    }

    @inlinable
    deinit { word.address.deallocate() }

    /// The value now.
    @inlinable
    @inline(__always)
    package func load(ordering: AtomicLoadOrdering) -> Value {
        defer { _fixLifetime(self) }
        return Value(atomicWord: word.load(ordering: ordering))
    }

    /// Stores a value.
    @inlinable
    @inline(__always)
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        word.store(value.atomicWord, ordering: ordering)
        _fixLifetime(self)
    }

    /// Stores a value, and gives the former one.
    @inlinable
    @inline(__always)
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        defer { _fixLifetime(self) }
        return Value(atomicWord: word.exchange(value.atomicWord, ordering: ordering))
    }

    /// Stores `desired` if the value is `expected`.
    ///
    /// - Returns: Whether it was, and the value that was found.
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

    /// The same, with the failure's ordering that belongs to the success's.
    @inlinable
    @inline(__always)
    package func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        compareExchange(
            expected: expected, desired: desired, successOrdering: ordering, failureOrdering: ordering.failure)
    }

    /// The same, but it may also fail if the value is `expected`: cheaper in a loop.
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
    /// Adds with wrap-around.
    @inlinable
    @inline(__always)
    @discardableResult
    package func wrappingAdd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        if Value.bitWidth == UInt64.bitWidth {
            defer { _fixLifetime(self) }
            let old = Value(atomicWord: word.wrappingAdd(value.atomicWord, ordering: ordering).oldValue)
            return (old, old &+ value)
        }
        // It wraps where the value does, not where the word does.
        var old = load(ordering: .relaxed)
        while true {
            let (isAdded, found) = weakCompareExchange(expected: old, desired: old &+ value, ordering: ordering)
            if isAdded { return (old, old &+ value) }
            old = found
        }
    }
}
