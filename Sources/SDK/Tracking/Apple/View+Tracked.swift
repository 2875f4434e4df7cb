#if canImport(SwiftUI)
    public import EventLog
    public import SwiftUI
    public import TrackingCore

    extension EnvironmentValues {
        /// The tracker of the views below `tracked(by:)`; ``/TrackingCore/Tracker/noop`` elsewhere, for instance in previews.
        public var tracker: Tracker {
            get { self[TrackerKey.self] }
            set { self[TrackerKey.self] = newValue }
        }
    }

    private struct TrackerKey: EnvironmentKey {
        static let defaultValue = Tracker.noop
    }

    extension View {
        /// Tracks the app: apply it to the root view of each scene.
        ///
        /// ```swift
        /// WindowGroup { ContentView().tracked(by: tracker) }
        /// ```
        ///
        /// - Subviews read the tracker from the environment: `@Environment(\.tracker) var tracker`.
        /// - `launch` is sent each time the app becomes active, `background` when it enters the background. An app with
        ///   several scenes is active if any of them is, and in the background if all of them are.
        /// - Events are delivered when the app enters the background. The app is kept from being suspended until
        ///   delivery ends, for as long as the system grants background time.
        ///
        /// Scenes that an app creates with UIKit's delegates have no phase in SwiftUI's environment: use
        /// `TrackedSceneDelegate` for them.
        ///
        /// - Parameters:
        ///   - tracker: The app's tracker.
        ///   - observer: An additional observer, such as a set of life-cycle events. Pass opened links to it in
        ///     `onOpenURL(perform:)`.
        ///   - backgroundTime: Prevents the app from being suspended. The default works in apps and in extensions; an
        ///     app may pass `UIApplicationBackgroundTime(.shared)`.
        public func tracked(
            by tracker: Tracker, observer: (any LifeCycleObserver)? = nil,
            backgroundTime: any BackgroundTime = .system
        ) -> some View {
            modifier(TrackedRoot(AppLifeCycle(tracker, observer: observer, backgroundTime: backgroundTime)))
        }
    }

    /// The environment value and the scene's phases.
    private struct TrackedRoot: ViewModifier {
        private let tracker: Tracker
        @State private var scene: SceneLifeCycle
        @Environment(\.scenePhase) private var scenePhase

        init(_ lifeCycle: AppLifeCycle) {
            tracker = lifeCycle.tracker
            _scene = State(wrappedValue: SceneLifeCycle(lifeCycle))
        }

        func body(content: Content) -> some View {
            content
                .environment(\.tracker, tracker)
                .onChange(of: scenePhase, initial: true) { _, phase in scene.changed(to: .init(phase)) }
        }
    }

    extension AppPresence.Phase {
        fileprivate init(_ phase: ScenePhase) {
            switch phase {
            case .active: self = .active
            case .background: self = .background
            case .inactive: self = .inactive
            @unknown default: self = .inactive
            }
        }
    }
#endif
