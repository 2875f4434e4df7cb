internal import Flux
internal import Foundation
internal import TrackingCore

/// The life cycle of an app, independent of frameworks: adapters report the phases of its scenes.
///
/// `launch` is sent at each activation. When the app enters the background, `background` is sent and events are
/// delivered.
struct AppLifeCycle: Sendable {
    let tracker: Tracker
    private let observer: (any LifeCycleObserver)?
    private let backgroundTime: any BackgroundTime

    /// Makes the life cycle of a tracker's app. All instances of a tracker share one life cycle.
    ///
    /// - Parameters:
    ///   - observer: Notified of the app's transitions.
    ///   - backgroundTime: Prevents the app from being suspended while events are delivered.
    init(
        _ tracker: Tracker, observer: (any LifeCycleObserver)? = nil, backgroundTime: any BackgroundTime = .system
    ) {
        self.tracker = tracker
        self.observer = observer
        self.backgroundTime = backgroundTime
    }

    /// Updates the phase of a scene.
    ///
    /// - Parameter phase: The new phase; nil if the scene is gone.
    /// - Returns: The delivery, if the app has entered the background.
    @discardableResult
    func scene(_ scene: AppPresence.Scene, changedTo phase: AppPresence.Phase?) -> Task<Void, Never>? {
        switch tracker.scene(scene, changedTo: phase) {
        case .becameActive:
            observer?.becameActive()
            return nil
        case .enteredBackground:
            observer?.enteredBackground()
            return tracker.flush(in: backgroundTime)
        case .consent, .identify, .reset, nil: return nil
        }
    }

    /// Updates the phase of an app without scenes.
    ///
    /// - Returns: The delivery, if the app has entered the background.
    @discardableResult
    func app(changedTo phase: AppPresence.Phase) -> Task<Void, Never>? { scene(.app, changedTo: phase) }

    /// Processes a universal link that the user has opened.
    func openedLink(_ url: URL, referrer: URL?) { observer?.openedLink(url, referrer: referrer) }
}

/// A scene's part of an app's life cycle, for adapters that detect the end of a scene by its release.
final class SceneLifeCycle: Sendable {
    private let lifeCycle: AppLifeCycle

    init(_ lifeCycle: AppLifeCycle) { self.lifeCycle = lifeCycle }

    func changed(to phase: AppPresence.Phase) { lifeCycle.scene(.scene(ObjectIdentifier(self)), changedTo: phase) }

    deinit { lifeCycle.scene(.scene(ObjectIdentifier(self)), changedTo: nil) }
}

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
