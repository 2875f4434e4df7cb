internal import Synchronization

/// One subscriber of a dispatcher or store, with the flag that ends it.
final class Subscriber<Value: Sendable>: Sendable {
    private let isActive = Atomic(true)
    private let handler: @Sendable (Value) -> Void

    init(_ handler: @escaping @Sendable (Value) -> Void) {
        self.handler = handler
    }

    func receive(_ value: Value) {
        if isActive.load(ordering: .acquiring) { handler(value) }
    }

    func cancel() {
        isActive.store(false, ordering: .releasing)
    }
}
