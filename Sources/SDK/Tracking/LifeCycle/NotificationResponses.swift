internal import Primitives
internal import TrackingCore

/// Handles the user's responses to notifications, independent of frameworks.
enum NotificationResponses {
    /// Sends `notification`, then makes sure that the completion handler is called exactly once: by the app's own
    /// delegate, or here if there is none. Firing rule 3.
    ///
    /// - Parameters:
    ///   - next: The app's own delegate; nil if it has none, or does not handle responses.
    ///   - completion: The system's handler. Called even if the event is dropped.
    static func respond(
        identifier: String, userInfo: [AnyHashable: Any], with tracker: Tracker,
        next: ((_ completion: @escaping @Sendable () -> Void) -> Void)?, completion: @escaping @Sendable () -> Void
    ) {
        tracker.sendNotification(identifier: identifier, userInfo: userInfo)
        let once = Once(completion)
        if let next { next { once.call() } } else { once.call() }
    }
}

/// A closure that is called at most once. The system's completion handlers trap or misbehave when called twice.
struct Once: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    /// Calls the closure, unless it has already been called.
    func call() {
        let action = self.action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
