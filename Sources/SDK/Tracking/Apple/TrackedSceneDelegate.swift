#if canImport(UIKit) && UIKIT_APPS
    public import EventLog
    public import TrackingCore
    public import UIKit

    /// A scene delegate that sends `launch` and `background`, and delivers events on entering the background.
    ///
    /// ```swift
    /// final class SceneDelegate: TrackedSceneDelegate {
    ///     override var tracker: Tracker { AppDelegate.tracker }
    /// }
    /// ```
    ///
    /// If you override a method, call `super`. If your app has a delegate of another class, set ``nextDelegate``: calls
    /// that it implements are forwarded to it.
    open class TrackedSceneDelegate: UIResponder, UIWindowSceneDelegate {
        /// The app's tracker. Override it: the default tracks nothing.
        open var tracker: Tracker { .noop }

        /// An additional observer, such as a set of life-cycle events. Override it: the default is nil.
        open var lifeCycleObserver: (any LifeCycleObserver)? { nil }

        /// Prevents the app from being suspended while events are delivered.
        open var backgroundTime: any BackgroundTime { .system }

        /// The window that UIKit or a subclass sets.
        open var window: UIWindow?

        /// The delegate to which calls are forwarded. Retained.
        public var nextDelegate: (any UIWindowSceneDelegate)?

        private var lifeCycle: AppLifeCycle {
            AppLifeCycle(tracker, observer: lifeCycleObserver, backgroundTime: backgroundTime)
        }

        private func changed(_ scene: UIScene, to phase: AppPresence.Phase?) {
            lifeCycle.scene(.scene(ObjectIdentifier(scene)), changedTo: phase)
        }

        open func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            for activity in connectionOptions.userActivities { lifeCycle.continued(activity) }
            let next = nextDelegate?.scene(_:willConnectTo:options:)
            next?(scene, session, connectionOptions)
        }

        open func sceneDidDisconnect(_ scene: UIScene) {
            changed(scene, to: nil)
            let next = nextDelegate?.sceneDidDisconnect(_:)
            next?(scene)
        }

        open func sceneDidBecomeActive(_ scene: UIScene) {
            changed(scene, to: .active)
            let next = nextDelegate?.sceneDidBecomeActive(_:)
            next?(scene)
        }

        open func sceneWillResignActive(_ scene: UIScene) {
            changed(scene, to: .inactive)
            let next = nextDelegate?.sceneWillResignActive(_:)
            next?(scene)
        }

        open func sceneWillEnterForeground(_ scene: UIScene) {
            changed(scene, to: .inactive)
            let next = nextDelegate?.sceneWillEnterForeground(_:)
            next?(scene)
        }

        open func sceneDidEnterBackground(_ scene: UIScene) {
            changed(scene, to: .background)
            let next = nextDelegate?.sceneDidEnterBackground(_:)
            next?(scene)
        }

        open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            lifeCycle.continued(userActivity)
            let next = nextDelegate?.scene(_:continue:)
            next?(scene, userActivity)
        }
    }

    extension AppLifeCycle {
        /// Processes an activity from UIKit.
        func continued(_ activity: NSUserActivity) {
            let isLink = activity.activityType == NSUserActivityTypeBrowsingWeb
            guard isLink, let url = activity.webpageURL else { return }
            openedLink(url, referrer: activity.referrerURL)
        }
    }
#endif
