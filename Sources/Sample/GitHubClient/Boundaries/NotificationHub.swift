public import Foundation

// tracking:double
/// What is posted within the app's process, handed in so that tests post it themselves.
public protocol NotificationHub: Sendable {
    /// Calls a handler for everything of a name, on the thread that posts it, until ``end(_:)``.
    func observe(_ name: Notification.Name, handler: @escaping @Sendable () -> Void) -> NotificationToken

    /// Ends an observation. May be called from any thread; ending it again does nothing.
    func end(_ token: NotificationToken)

    /// Posts a name. Returns when the handlers have.
    func post(_ name: Notification.Name)
}

/// An observation of a hub.
public struct NotificationToken: @unchecked Sendable {  // only handed back to the hub it came from, on any thread
    let observer: any NSObjectProtocol

    /// Makes a token for what a hub knows an observation by.
    public init(_ observer: any NSObjectProtocol) { self.observer = observer }
}
