#if canImport(UIKit) && UIKIT_APPS
    public import TrackingCore
    public import UIKit

    /// An app delegate that sends `launch` and `background`, and delivers events on entering the background.
    ///
    /// ```swift
    /// @main
    /// final class AppDelegate: TrackedAppDelegate {
    ///     static let tracker = Tracker.start(.http(url, key: key))
    ///     override var tracker: Tracker { Self.tracker }
    /// }
    /// ```
    ///
    /// In an app with scenes, UIKit reports the life cycle to the scene delegates: see ``TrackedSceneDelegate``. You
    /// may use both. If you override a method, call `super`. If your app has a delegate of another class, set
    /// ``nextDelegate``: calls that it implements are forwarded to it, and its results are returned.
    open class TrackedAppDelegate: UIResponder, UIApplicationDelegate {
        /// The app's tracker. Override it: the default tracks nothing.
        open var tracker: Tracker { .noop }

        /// An additional observer, such as a set of life-cycle events. Override it: the default is nil.
        open var lifeCycleObserver: (any LifeCycleObserver)? { nil }

        /// The delegate to which calls are forwarded. Retained.
        public var nextDelegate: (any UIApplicationDelegate)?

        private func lifeCycle(_ application: UIApplication) -> AppLifeCycle {
            AppLifeCycle(
                tracker, observer: lifeCycleObserver, backgroundTime: UIApplicationBackgroundTime(application))
        }

        open func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            let next = nextDelegate?.application(_:didFinishLaunchingWithOptions:)
            return next?(application, launchOptions) ?? true
        }

        open func applicationDidBecomeActive(_ application: UIApplication) {
            lifeCycle(application).app(changedTo: .active)
            let next = nextDelegate?.applicationDidBecomeActive(_:)
            next?(application)
        }

        open func applicationWillResignActive(_ application: UIApplication) {
            lifeCycle(application).app(changedTo: .inactive)
            let next = nextDelegate?.applicationWillResignActive(_:)
            next?(application)
        }

        open func applicationWillEnterForeground(_ application: UIApplication) {
            lifeCycle(application).app(changedTo: .inactive)
            let next = nextDelegate?.applicationWillEnterForeground(_:)
            next?(application)
        }

        open func applicationDidEnterBackground(_ application: UIApplication) {
            lifeCycle(application).app(changedTo: .background)
            let next = nextDelegate?.applicationDidEnterBackground(_:)
            next?(application)
        }

        open func applicationWillTerminate(_ application: UIApplication) {
            lifeCycle(application).app(changedTo: .background)
            let next = nextDelegate?.applicationWillTerminate(_:)
            next?(application)
        }

        open func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            lifeCycle(application).continued(userActivity)
            let next = nextDelegate?.application(_:continue:restorationHandler:)
            return next?(application, userActivity, restorationHandler) ?? false
        }

        open func application(
            _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
            completionHandler: @escaping () -> Void
        ) {
            let next = nextDelegate?.application(_:handleEventsForBackgroundURLSession:completionHandler:)
            if let next { next(application, identifier, completionHandler) } else { completionHandler() }
        }
    }
#endif
