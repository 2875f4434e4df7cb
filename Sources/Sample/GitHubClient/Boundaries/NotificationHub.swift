public import Foundation

// tracking:double
/// The notifications within the app's process, a dependency that tests replace.
public protocol NotificationHub: Sendable {
    /// Calls a handler for each notification with a name, on the posting thread, until ``end(_:)``.
    func observe(_ name: Notification.Name, handler: @escaping @Sendable () -> Void) -> NotificationToken

    /// Ends an observation. Thread-safe; ending it again has no effect.
    func end(_ token: NotificationToken)

    /// Posts a notification. Returns after its handlers.
    func post(_ name: Notification.Name)
}

/// An observation of a hub.
public struct NotificationToken: @unchecked Sendable {  // only passed back to its hub, on any thread
    let observer: any NSObjectProtocol

    /// Creates a token from the hub's own observer object.
    public init(_ observer: any NSObjectProtocol) { self.observer = observer }
}

extension NotificationCenter: NotificationHub {
    public func observe(_ name: Notification.Name, handler: @escaping @Sendable () -> Void) -> NotificationToken {
        NotificationToken(addObserver(forName: name, object: nil, queue: nil) { _ in handler() })
    }

    public func end(_ token: NotificationToken) { removeObserver(token.observer) }

    public func post(_ name: Notification.Name) { post(name: name, object: nil) }
}
