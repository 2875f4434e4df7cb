#if canImport(UIKit) && UIKIT_APPS
    public import EventLog
    public import Flux
    public import Foundation
    internal import TrackingCore
    internal import UIKit

    extension Tracker {
        /// Sends `launch` and `background` when the app becomes active and enters the background, and delivers events then.
        /// For an app whose delegates are not derived from `TrackedAppDelegate` or `TrackedSceneDelegate`.
        ///
        /// - Parameters:
        ///   - center: The center to which UIKit posts: `.default`.
        ///   - backgroundTime: Keeps the app from being suspended while events are delivered.
        /// - Returns: The token that keeps it going: dropping or cancelling it ends it.
        @MainActor
        public func followAppLifeCycle(
            of center: NotificationCenter, backgroundTime: any BackgroundTime = .system
        ) -> FluxSubscription {
            AppLifeCycle(self, backgroundTime: backgroundTime).follow(
                [
                    (UIApplication.didBecomeActiveNotification, .active),
                    (UIApplication.willResignActiveNotification, .inactive),
                    (UIApplication.didEnterBackgroundNotification, .background),
                ], of: center)
        }
    }
#endif
