#if canImport(UIKit) && UIKIT_APPS
    public import EventLog
    public import Flux
    public import Foundation
    public import TrackingCore
    internal import UIKit

    extension Tracker {
        /// Sends `launch` when the app becomes active. When it enters the background, sends `background` and delivers
        /// events. For apps whose delegates do not inherit from `TrackedAppDelegate` or `TrackedSceneDelegate`.
        ///
        /// - Parameters:
        ///   - center: The notification center of UIKit: `.default`.
        ///   - observer: An additional observer, such as a set of life-cycle events.
        ///   - backgroundTime: Prevents the app from being suspended while events are delivered.
        /// - Returns: The token of the observation. Cancel or release it to end the observation.
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
