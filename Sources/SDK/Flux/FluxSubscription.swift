public import Primitives

/// A subscription's life: it ends when this token is cancelled or dropped.
///
/// No delivery starts after ``cancel()`` has returned. A delivery that another thread had started before may
/// still be running then.
public final class FluxSubscription: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    /// Makes a token.
    ///
    /// - Parameter end: Called once, when it is cancelled or dropped.
    package init(_ end: @escaping @Sendable () -> Void) {
        self.end = Locked(end)
    }

    deinit { cancel() }

    /// Ends the subscription. Calling it again does nothing. May be called from any thread, also from inside
    /// the subscription's own handler.
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

    /// Hands a value to subscribers, one after the other.
    @inlinable
    @inline(__always)
    static func receive(_ value: Value, _ subscribers: [Subscriber]) {
        for subscriber in subscribers {
            // Without a count for each: the array keeps them alive, whoever ends his subscription meanwhile.
            Unmanaged.passUnretained(subscriber)._withUnsafeGuaranteedRef { $0.receive(value) }
        }
    }

    /// By itself, so that the handler needs no count either: whoever calls keeps the subscriber alive.
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

/// The subscribers of a dispatcher at a time. Going through them counts nothing.
@usableFromInline
final class SubscriberList<Value: Sendable>: Sendable {
    let all: [Subscriber<Value>]
    /// The same ones, which `all` keeps alive.
    @usableFromInline nonisolated(unsafe) let unmanaged: UnsafeMutableBufferPointer<Unmanaged<Subscriber<Value>>>

    @usableFromInline
    init(_ subscribers: [Subscriber<Value>]) {
        all = subscribers
        unmanaged = .allocate(capacity: subscribers.count)
        _ = unmanaged.initialize(from: subscribers.map { Unmanaged.passUnretained($0) })
    }

    deinit { unmanaged.deallocate() }

    /// Hands a value to all of a list that somebody else keeps alive.
    @inlinable
    @inline(__always)
    static func receive(_ value: Value, _ list: Unmanaged<SubscriberList>) {
        let subscribers = list._withUnsafeGuaranteedRef { $0.unmanaged }
        for subscriber in subscribers { subscriber._withUnsafeGuaranteedRef { $0.receive(value) } }
    }
}
