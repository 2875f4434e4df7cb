public import CAtomics

/// A 64-bit word in external memory, such as a mapped file. Every access through this type is atomic and needs no lock.
///
/// The memory must be aligned to eight bytes and must outlive all accesses. `Atomic` allocates its own memory.
@usableFromInline
package struct AtomicWord: @unchecked Sendable {  // every access is atomic
    @usableFromInline let address: UnsafeMutablePointer<UInt64>

    @inlinable
    package init(_ address: UnsafeMutablePointer<UInt64>) { self.address = address }

    @inlinable
    @inline(__always)
    package func load(ordering: AtomicLoadOrdering) -> UInt64 {
        switch ordering.order {
        case CInt(catomics_relaxed): catomics_load_relaxed(address)
        case CInt(catomics_acquire): catomics_load_acquire(address)
        default: catomics_load_sequential(address)
        }
    }

    @inlinable
    @inline(__always)
    package func store(_ value: UInt64, ordering: AtomicStoreOrdering) {
        switch ordering.order {
        case CInt(catomics_relaxed): catomics_store_relaxed(address, value)
        case CInt(catomics_release): catomics_store_release(address, value)
        default: catomics_store_sequential(address, value)
        }
    }

    /// Stores a value, and returns the previous one.
    @inlinable
    @inline(__always)
    package func exchange(_ value: UInt64, ordering: AtomicUpdateOrdering) -> UInt64 {
        catomics_exchange(address, value, ordering.order)
    }

    /// Stores `desired` if the word is `expected`.
    ///
    /// - Returns: Whether it was stored, and the previous value.
    @inlinable
    @inline(__always)
    package func compareExchange(
        expected: UInt64, desired: UInt64, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: UInt64) {
        var original = expected
        let exchanged = catomics_compare_exchange(
            address, &original, desired, successOrdering.order, failureOrdering.order)
        return (exchanged, original)
    }

    /// Stores `desired` if the word is `expected`, with the failure ordering that matches the success ordering.
    @inlinable
    @inline(__always)
    package func compareExchange(
        expected: UInt64, desired: UInt64, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: UInt64) {
        compareExchange(
            expected: expected, desired: desired, successOrdering: ordering, failureOrdering: ordering.failure)
    }

    /// Like `compareExchange`, but may fail spuriously: cheaper in a loop.
    @inlinable
    @inline(__always)
    package func weakCompareExchange(
        expected: UInt64, desired: UInt64, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: UInt64) {
        var original = expected
        let exchanged = catomics_weak_compare_exchange(
            address, &original, desired, ordering.order, ordering.failure.order)
        return (exchanged, original)
    }

    /// Adds with wraparound.
    @inlinable
    @inline(__always)
    @discardableResult
    package func wrappingAdd(
        _ value: UInt64, ordering: AtomicUpdateOrdering
    ) -> (oldValue: UInt64, newValue: UInt64) {
        let old = catomics_add(address, value, ordering.order)
        return (old, old &+ value)
    }

    /// Sets bits.
    @inlinable
    @inline(__always)
    @discardableResult
    package func bitwiseOr(
        _ bits: UInt64, ordering: AtomicUpdateOrdering
    ) -> (oldValue: UInt64, newValue: UInt64) {
        let old = catomics_or(address, bits, ordering.order)
        return (old, old | bits)
    }

    /// Keeps these bits and clears the others.
    @inlinable
    @inline(__always)
    @discardableResult
    package func bitwiseAnd(
        _ bits: UInt64, ordering: AtomicUpdateOrdering
    ) -> (oldValue: UInt64, newValue: UInt64) {
        let old = catomics_and(address, bits, ordering.order)
        return (old, old & bits)
    }

    /// Stores the larger of the word and a value.
    @inlinable
    package func max(_ value: UInt64, ordering: AtomicUpdateOrdering) {
        var old = load(ordering: .relaxed)
        while true {
            // Stores even an unchanged value: the store publishes earlier writes.
            let (isStored, found) = weakCompareExchange(
                expected: old, desired: Swift.max(old, value), ordering: ordering)
            if isStored { return }
            old = found
        }
    }
}

/// Starts to load an address into the processor's cache, without waiting. The address may be invalid.
@inlinable
@inline(__always)
package func prefetch(_ address: Int) { catomics_prefetch(UInt(bitPattern: address)) }
