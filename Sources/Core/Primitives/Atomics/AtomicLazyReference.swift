/// A reference that is stored once: if threads store at the same time, the first instance wins.
///
/// The subset of the standard library's `AtomicLazyReference` that this package uses, since that type requires macOS 15
/// and iOS 18.
package struct AtomicLazyReference<Instance: AnyObject>: ~Copyable {
    private let reference = Atomic<Unmanaged<Instance>?>(nil)

    /// Makes a reference without an instance.
    package init() {}

    deinit { reference.load(ordering: .acquiring)?.release() }

    /// The instance; nil until one is stored.
    package func load() -> Instance? { reference.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores an instance, unless there is one already.
    ///
    /// - Returns: The stored instance.
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
