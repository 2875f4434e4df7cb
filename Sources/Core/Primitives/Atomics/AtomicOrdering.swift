public import CAtomics

/// What an atomic load sees of other memory.
@usableFromInline
package struct AtomicLoadOrdering: Sendable {
    @usableFromInline let order: CInt
    @inlinable @inline(__always) init(_ order: Int) { self.order = CInt(order) }

    /// Nothing but the value itself.
    @inlinable @inline(__always) package static var relaxed: Self { Self(catomics_relaxed) }
    /// Everything that was stored before the value was stored with `releasing`.
    @inlinable @inline(__always) package static var acquiring: Self { Self(catomics_acquire) }
    /// The same, in one order with all other operations of this ordering.
    @inlinable @inline(__always) package static var sequentiallyConsistent: Self { Self(catomics_sequential) }
}

/// What an atomic store publishes of other memory.
@usableFromInline
package struct AtomicStoreOrdering: Sendable {
    @usableFromInline let order: CInt
    @inlinable @inline(__always) init(_ order: Int) { self.order = CInt(order) }

    /// Nothing but the value itself.
    @inlinable @inline(__always) package static var relaxed: Self { Self(catomics_relaxed) }
    /// Everything that this thread has stored before.
    @inlinable @inline(__always) package static var releasing: Self { Self(catomics_release) }
    /// The same, in one order with all other operations of this ordering.
    @inlinable @inline(__always) package static var sequentiallyConsistent: Self { Self(catomics_sequential) }
}

/// What an operation that loads and stores sees and publishes of other memory.
@usableFromInline
package struct AtomicUpdateOrdering: Sendable {
    @usableFromInline let order: CInt
    /// The order of the load alone, when nothing is stored.
    @usableFromInline let failure: AtomicLoadOrdering
    @inlinable @inline(__always) init(_ order: Int, failure: AtomicLoadOrdering) {
        (self.order, self.failure) = (CInt(order), failure)
    }

    /// Nothing but the value itself.
    @inlinable @inline(__always) package static var relaxed: Self { Self(catomics_relaxed, failure: .relaxed) }
    /// Sees what was published before the value was stored.
    @inlinable @inline(__always) package static var acquiring: Self { Self(catomics_acquire, failure: .acquiring) }
    /// Publishes what this thread has stored before.
    @inlinable @inline(__always) package static var releasing: Self { Self(catomics_release, failure: .relaxed) }
    /// Sees and publishes.
    @inlinable @inline(__always) package static var acquiringAndReleasing: Self {
        Self(catomics_acquire_release, failure: .acquiring)
    }
    /// The same, in one order with all other operations of this ordering.
    @inlinable @inline(__always) package static var sequentiallyConsistent: Self {
        Self(catomics_sequential, failure: .sequentiallyConsistent)
    }
}
