public import CAtomics

/// The memory ordering of an atomic load.
@usableFromInline
package struct AtomicLoadOrdering: Sendable {
    @usableFromInline let order: CInt
    @inlinable @inline(__always) init(_ order: Int) { self.order = CInt(order) }

    /// Orders nothing but the value itself.
    @inlinable @inline(__always) package static var relaxed: Self { Self(catomics_relaxed) }
    /// Makes all writes before the matching `releasing` store visible.
    @inlinable @inline(__always) package static var acquiring: Self { Self(catomics_acquire) }
    /// Like `acquiring`, and in a single order with all other sequentially consistent operations.
    @inlinable @inline(__always) package static var sequentiallyConsistent: Self { Self(catomics_sequential) }
}

/// The memory ordering of an atomic store.
@usableFromInline
package struct AtomicStoreOrdering: Sendable {
    @usableFromInline let order: CInt
    @inlinable @inline(__always) init(_ order: Int) { self.order = CInt(order) }

    /// Orders nothing but the value itself.
    @inlinable @inline(__always) package static var relaxed: Self { Self(catomics_relaxed) }
    /// Publishes all earlier writes of this thread.
    @inlinable @inline(__always) package static var releasing: Self { Self(catomics_release) }
    /// Like `releasing`, and in a single order with all other sequentially consistent operations.
    @inlinable @inline(__always) package static var sequentiallyConsistent: Self { Self(catomics_sequential) }
}

/// The memory ordering of an operation that loads and stores.
@usableFromInline
package struct AtomicUpdateOrdering: Sendable {
    @usableFromInline let order: CInt
    /// The ordering of the load if nothing is stored.
    @usableFromInline let failure: AtomicLoadOrdering
    @inlinable @inline(__always) init(_ order: Int, failure: AtomicLoadOrdering) {
        self.order = CInt(order)
        self.failure = failure
    }

    /// Orders nothing but the value itself.
    @inlinable @inline(__always) package static var relaxed: Self { Self(catomics_relaxed, failure: .relaxed) }
    /// Makes all writes before the matching `releasing` store visible.
    @inlinable @inline(__always) package static var acquiring: Self { Self(catomics_acquire, failure: .acquiring) }
    /// Publishes all earlier writes of this thread.
    @inlinable @inline(__always) package static var releasing: Self { Self(catomics_release, failure: .relaxed) }
    /// Combines acquiring and releasing.
    @inlinable @inline(__always) package static var acquiringAndReleasing: Self {
        Self(catomics_acquire_release, failure: .acquiring)
    }
    /// Like `acquiringAndReleasing`, and in a single order with all other sequentially consistent operations.
    @inlinable @inline(__always) package static var sequentiallyConsistent: Self {
        Self(catomics_sequential, failure: .sequentiallyConsistent)
    }
}
