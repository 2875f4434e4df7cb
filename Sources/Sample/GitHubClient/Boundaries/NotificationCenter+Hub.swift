public import Foundation

extension NotificationCenter: NotificationHub {
    public func observe(_ name: Notification.Name, handler: @escaping @Sendable () -> Void) -> NotificationToken {
        NotificationToken(addObserver(forName: name, object: nil, queue: nil) { _ in handler() })
    }

    public func end(_ token: NotificationToken) { removeObserver(token.observer) }

    public func post(_ name: Notification.Name) { post(name: name, object: nil) }
}
