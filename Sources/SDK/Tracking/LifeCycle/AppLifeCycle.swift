internal import Foundation
internal import TrackingCore

/// What an app does between its launch and its end, without a framework: adapters report the phases of its scenes.
///
/// `launch` is sent at each activation, `background` on entering the background, where events are delivered, too.
struct AppLifeCycle: Sendable {
    let tracker: Tracker
    private let observer: (any LifeCycleObserver)?
    private let backgroundTime: any BackgroundTime

    /// Makes the life cycle of a tracker's app. All those of one tracker are the same life cycle.
    ///
    /// - Parameters:
    ///   - observer: Is told what the app does.
    ///   - backgroundTime: Keeps the app from being suspended while events are delivered.
    init(
        _ tracker: Tracker, observer: (any LifeCycleObserver)? = nil, backgroundTime: any BackgroundTime = .system
    ) {
        self.tracker = tracker
        self.observer = observer
        self.backgroundTime = backgroundTime
    }

    /// Takes the phase of a scene.
    ///
    /// - Parameter phase: nil once the scene is gone.
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
        case .optedOut, nil: return nil
        }
    }

    /// Takes the phase of an app without scenes.
    ///
    /// - Returns: The delivery, if the app has entered the background.
    @discardableResult
    func app(changedTo phase: AppPresence.Phase) -> Task<Void, Never>? { scene(.app, changedTo: phase) }

    /// Takes a universal link that the user has opened.
    func openedLink(_ url: URL, referrer: URL?) { observer?.openedLink(url, referrer: referrer) }
}

/// A scene's part of an app's life cycle, for adapters that hear of a scene's end by being released.
final class SceneLifeCycle: Sendable {
    private let lifeCycle: AppLifeCycle

    init(_ lifeCycle: AppLifeCycle) { self.lifeCycle = lifeCycle }

    /// Takes the scene's phase.
    func changed(to phase: AppPresence.Phase) { lifeCycle.scene(.scene(ObjectIdentifier(self)), changedTo: phase) }

    deinit { lifeCycle.scene(.scene(ObjectIdentifier(self)), changedTo: nil) }
}
