#if canImport(UIKit) && UIKIT_APPS
    public import EventLog
    public import Flux
    public import Foundation
    public import TrackingCore
    internal import UIKit

    extension Tracker {
        /// Sends `launch` and `background` when the app becomes active and enters the background, and delivers events then.
        /// For an app whose delegates are not derived from `TrackedAppDelegate` or `TrackedSceneDelegate`.
        ///
        /// - Parameters:
        ///   - center: The center to which UIKit posts: `.default`.
        ///   - observer: What else follows the app: a set of life-cycle events.
        ///   - backgroundTime: Keeps the app from being suspended while events are delivered.
        /// - Returns: The token that keeps it going: dropping or cancelling it ends it.
        @MainActor
        public func followAppLifeCycle(
            of center: NotificationCenter, observer: (any LifeCycleObserver)? = nil,
            backgroundTime: any BackgroundTime = .system
        ) -> FluxSubscription {
            AppLifeCycle(self, observer: observer, backgroundTime: backgroundTime).follow(
                [
                    (UIApplication.didBecomeActiveNotification, .active),
                    (UIApplication.willResignActiveNotification, .inactive),
                    (UIApplication.didEnterBackgroundNotification, .background),
                ], of: center)
        }
    }
#endif
