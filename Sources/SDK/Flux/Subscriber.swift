public import Synchronization

/// One subscriber of a dispatcher or store, with the flag that ends it.
@usableFromInline
final class Subscriber<Value: Sendable>: Sendable {
    @usableFromInline let isActive = Atomic(true)
    @usableFromInline let handler: @Sendable (Value) -> Void

    @inlinable
    init(_ handler: @escaping @Sendable (Value) -> Void) {
        self.handler = handler
    }

    /// Hands a value to subscribers, one after the other.
    @inlinable
    @inline(__always)
    static func receive(_ value: Value, _ subscribers: [Subscriber]) {
        for subscriber in subscribers {
            // Without a count for each: the array keeps them alive, whoever ends his subscription meanwhile.
            Unmanaged.passUnretained(subscriber)._withUnsafeGuaranteedRef { subscriber in
                if subscriber.isActive.load(ordering: .acquiring) { subscriber.handler(value) }
            }
        }
    }

    @usableFromInline
    func cancel() {
        isActive.store(false, ordering: .releasing)
    }
}
