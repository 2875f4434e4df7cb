/// A reference that is stored once and stays: threads that store at the same time agree on the first.
///
/// The part of the standard library's `AtomicLazyReference` that this package uses: that one needs macOS 15 and iOS 18.
package struct AtomicLazyReference<Instance: AnyObject>: ~Copyable {
    private let reference = Atomic<Unmanaged<Instance>?>(nil)

    /// Makes one without an instance.
    package init() {}

    deinit { reference.load(ordering: .acquiring)?.release() }

    /// The instance; nil until one was stored.
    package func load() -> Instance? { reference.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores an instance, unless there is one.
    ///
    /// - Returns: The instance that is stored.
    package func storeIfNil(_ instance: Instance) -> Instance {
        let kept = Unmanaged.passRetained(instance)
        let (isFirst, former) = reference.compareExchange(
            expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        guard !isFirst, let former else { return instance }
        kept.release()
        return former.takeUnretainedValue()
    }
}

extension AtomicLazyReference: @unchecked Sendable where Instance: Sendable {}  // every access is atomic
