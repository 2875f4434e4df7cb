internal import TrackingCore

/// What an app does between its launch and its end, without a framework: adapters report the phases of its scenes.
///
/// `launch` is sent at each activation, `background` on entering the background, where events are delivered, too.
struct AppLifeCycle: Sendable {
    let tracker: Tracker
    let backgroundTime: any BackgroundTime

    /// Makes the life cycle of a tracker's app. All those of one tracker are the same life cycle.
    ///
    /// - Parameter backgroundTime: Keeps the app from being suspended while events are delivered.
    init(_ tracker: Tracker, backgroundTime: any BackgroundTime = .system) {
        self.tracker = tracker
        self.backgroundTime = backgroundTime
    }

    /// Takes the phase of a scene.
    ///
    /// - Parameter phase: nil once the scene is gone.
    /// - Returns: The delivery, if the app has entered the background.
    @discardableResult
    func scene(_ scene: AppPresence.Scene, changedTo phase: AppPresence.Phase?) -> Task<Void, Never>? {
        guard tracker.scene(scene, changedTo: phase) == .enteredBackground else { return nil }
        return tracker.flush(in: backgroundTime)
    }

    /// Takes the phase of an app without scenes.
    ///
    /// - Returns: The delivery, if the app has entered the background.
    @discardableResult
    func app(changedTo phase: AppPresence.Phase) -> Task<Void, Never>? { scene(.app, changedTo: phase) }
}

/// A scene's part of an app's life cycle, for adapters that hear of a scene's end by being released.
final class SceneLifeCycle: Sendable {
    private let lifeCycle: AppLifeCycle

    init(_ lifeCycle: AppLifeCycle) { self.lifeCycle = lifeCycle }

    /// Takes the scene's phase.
    func changed(to phase: AppPresence.Phase) { lifeCycle.scene(.scene(ObjectIdentifier(self)), changedTo: phase) }

    deinit { lifeCycle.scene(.scene(ObjectIdentifier(self)), changedTo: nil) }
}
