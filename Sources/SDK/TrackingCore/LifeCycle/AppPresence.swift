internal import Primitives

/// Whether an app is in front of its user, computed from the phases of its scenes.
///
/// An app is active if any of its scenes is, and in the background if all of them are. Each change is reported once,
/// whichever adapters report to the same tracker.
package final class AppPresence: Sendable {
    /// What a scene does, as UIKit and SwiftUI define it.
    package enum Phase: Sendable { case active, inactive, background }

    /// What reports its phase.
    package enum Scene: Hashable, Sendable {
        /// The whole app, on systems and in apps without scenes.
        case app
        /// One scene, by the identity of an object that lives as long as the scene.
        case scene(ObjectIdentifier)
    }

    private struct State {
        var phases: [Scene: Phase] = [:]
        /// An app that was started in the background has not entered it.
        var phase = Phase.background
    }

    private let state = Locked(State())

    init() {}

    /// Takes the phase of a scene.
    ///
    /// - Parameter phase: nil once the scene is gone.
    /// - Returns: What the app has done by that; nil if it is where it was.
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
    /// Sends `launch` when the app becomes active by a scene's phase, and `background` when it enters the background.
    ///
    /// - Parameter phase: nil once the scene is gone.
    /// - Returns: What the app has done; nil if it is where it was.
    @discardableResult
    package func scene(_ scene: AppPresence.Scene, changedTo phase: AppPresence.Phase?) -> TrackingInput? {
        let input = pipeline.presence.change(scene, to: phase)
        if let input { take(input) }
        return input
    }
}
