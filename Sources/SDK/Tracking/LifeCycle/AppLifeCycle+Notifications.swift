internal import Flux
internal import Foundation
internal import TrackingCore

extension AppLifeCycle {
    /// Observes the notifications of an app without scenes.
    ///
    /// - Returns: The token of the observation.
    func follow(
        _ notifications: [(name: Notification.Name, phase: AppPresence.Phase)], of center: NotificationCenter
    ) -> FluxSubscription {
        // Removing observers is documented as thread-safe.
        nonisolated(unsafe) let observers = notifications.map { name, phase in
            center.addObserver(forName: name, object: nil, queue: nil) { _ in app(changedTo: phase) }
        }
        return FluxSubscription { for observer in observers { center.removeObserver(observer) } }
    }
}
