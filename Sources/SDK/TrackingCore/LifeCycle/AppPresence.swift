public import Foundation
internal import Primitives

/// Whether an app is active or in the background, computed from the phases of its scenes.
///
/// An app is active if any of its scenes is active, and in the background if all its scenes are. Each change is
/// reported once, even if several adapters report to the same tracker.
package final class AppPresence: Sendable {
    /// The phase of a scene, as UIKit and SwiftUI define it.
    package enum Phase: Sendable { case active, inactive, background }

    /// The source of a phase.
    package enum Scene: Hashable, Sendable {
        /// The whole app, on systems and in apps without scenes.
        case app
        /// One scene, identified by an object that lives as long as the scene.
        case scene(ObjectIdentifier)
    }

    private struct State {
        var phases: [Scene: Phase] = [:]
        /// An app that was started in the background has not entered it.
        var phase = Phase.background
    }

    private let state = Locked(State())

    init() {}

    /// Updates the phase of a scene.
    ///
    /// - Parameter phase: The new phase; nil if the scene is gone.
    /// - Returns: The resulting transition of the app; nil if there is none.
    func change(_ scene: Scene, to phase: Phase?) -> TrackingInput? {
        state.withLock { state in
            state.phases[scene] = phase
            let phases = state.phases.values
            let former = state.phase
            state.phase =
                phases.contains(.active) ? .active : phases.contains(.inactive) ? .inactive : .background
            switch (former, state.phase) {
            case (.inactive, .active), (.background, .active): return .becameActive
            case (.active, .background), (.inactive, .background): return .enteredBackground
            default: return nil
            }
        }
    }
}

extension Tracker {
    /// Updates the phase of a scene. Sends `launch` when the app becomes active, and `background` when it enters the
    /// background.
    ///
    /// - Parameter phase: The new phase; nil if the scene is gone.
    /// - Returns: The resulting transition of the app; nil if there is none.
    @discardableResult
    package func scene(_ scene: AppPresence.Scene, changedTo phase: AppPresence.Phase?) -> TrackingInput? {
        let input = pipeline.presence.change(scene, to: phase)
        if let input { process(input) }
        return input
    }
}

/// An observer that receives life-cycle callbacks from the adapters in addition to a ``Tracker``: a set of life-cycle
/// events, for instance.
///
/// Methods are called on the main thread on Apple systems, each after the SDK has sent its own event.
public protocol LifeCycleObserver: Sendable {
    /// The app became active: once for each transition, after `launch`.
    func becameActive()

    /// The app entered the background: once for each transition, after `background`.
    func enteredBackground()

    /// The user opened the app with a link.
    ///
    /// - Parameters:
    ///   - url: The link, as the system reports it.
    ///   - referrer: The page or app that contained the link; nil if the system does not know it.
    func openedLink(_ url: URL, referrer: URL?)
}
