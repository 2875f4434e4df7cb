internal import Primitives
internal import TrackingCore

/// What happens when the user responds to a notification, without a framework.
enum NotificationResponses {
    /// Sends `notification`, then has the completion handler called exactly once: by the app's own delegate, or here if
    /// there is none. Firing rule 3.
    ///
    /// - Parameters:
    ///   - next: The app's own delegate; nil if it has none, or does not handle responses.
    ///   - completion: The system's handler. It is called also when the event is dropped.
    static func respond(
        identifier: String, userInfo: [AnyHashable: Any], with tracker: Tracker,
        next: ((_ completion: @escaping @Sendable () -> Void) -> Void)?, completion: @escaping @Sendable () -> Void
    ) {
        tracker.sendNotification(identifier: identifier, userInfo: userInfo)
        let once = Once(completion)
        if let next { next { once.call() } } else { once.call() }
    }
}

/// A closure that is called once. The system's completion handlers trap, or misbehave, when they are called again.
struct Once: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    /// Calls the closure; nothing the second time.
    func call() {
        let action = self.action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
