internal import Primitives

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
