public import Primitives

/// The token of a subscription. Cancel or release it to end the subscription.
///
/// No delivery starts after ``cancel()`` has returned. A delivery that another thread started before may still be
/// running.
public final class FluxSubscription: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    /// Makes a token.
    ///
    /// - Parameter end: Called once, when the token is canceled or released.
    package init(_ end: @escaping @Sendable () -> Void) {
        self.end = Locked(end)
    }

    deinit { cancel() }

    /// Ends the subscription. Further calls do nothing. Call it on any thread, even inside the subscription's own
    /// handler.
    public func cancel() {
        let end = self.end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

/// One subscriber of a dispatcher or store, with the flag that ends it.
@usableFromInline
final class Subscriber<Value: Sendable>: Sendable {
    @usableFromInline let isActive = Atomic(true)
    @usableFromInline let handler: @Sendable (Value) -> Void

    @inlinable
    init(_ handler: @escaping @Sendable (Value) -> Void) {
        self.handler = handler
    }

    /// Passes a value to subscribers, one after another.
    @inlinable
    @inline(__always)
    static func receive(_ value: Value, _ subscribers: [Subscriber]) {
        for subscriber in subscribers {
            // Without a retain per subscriber: the array keeps them alive, even if a subscription ends meanwhile.
            Unmanaged.passUnretained(subscriber)._withUnsafeGuaranteedRef { $0.receive(value) }
        }
    }

    /// A separate function, so that the handler needs no retain: the caller keeps the subscriber alive.
    @inlinable
    @inline(never)
    func receive(_ value: Value) {
        if isActive.load(ordering: .acquiring) { handler(value) }
    }

    @usableFromInline
    func cancel() {
        isActive.store(false, ordering: .releasing)
    }
}

/// The subscribers of a dispatcher at a point in time. Iterating retains nothing.
@usableFromInline
final class SubscriberList<Value: Sendable>: Sendable {
    let all: [Subscriber<Value>]
    /// The same subscribers, kept alive by `all`.
    @usableFromInline nonisolated(unsafe) let unmanaged: UnsafeMutableBufferPointer<Unmanaged<Subscriber<Value>>>

    @usableFromInline
    init(_ subscribers: [Subscriber<Value>]) {
        all = subscribers
        unmanaged = .allocate(capacity: subscribers.count)
        _ = unmanaged.initialize(from: subscribers.map { Unmanaged.passUnretained($0) })
    }

    deinit { unmanaged.deallocate() }

    /// Passes a value to all subscribers of a list that the caller keeps alive.
    @inlinable
    @inline(__always)
    static func receive(_ value: Value, _ list: Unmanaged<SubscriberList>) {
        let subscribers = list._withUnsafeGuaranteedRef { $0.unmanaged }
        for subscriber in subscribers { subscriber._withUnsafeGuaranteedRef { $0.receive(value) } }
    }
}
