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

    @inlinable
    @inline(__always)
    func receive(_ value: Value) {
        if isActive.load(ordering: .acquiring) { handler(value) }
    }

    @usableFromInline
    func cancel() {
        isActive.store(false, ordering: .releasing)
    }
}
