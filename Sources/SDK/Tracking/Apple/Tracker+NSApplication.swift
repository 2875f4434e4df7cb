#if canImport(AppKit) && APPKIT_APPS
    internal import AppKit
    public import EventLog
    public import Flux
    public import Foundation
    public import TrackingCore

    extension Tracker {
        /// Sends `launch` when a Mac app becomes active. When it resigns active or terminates, sends `background` and
        /// delivers events. For apps without SwiftUI scenes; with scenes, use `tracked(by:)`.
        ///
        /// Events that are not delivered when a Mac app terminates stay in its log and are delivered at the next start.
        ///
        /// - Parameters:
        ///   - center: The notification center of AppKit: `.default`.
        ///   - observer: An additional observer, such as a set of life-cycle events.
        ///   - backgroundTime: Prevents App Nap and sudden termination while events are delivered.
        /// - Returns: The token of the observation. Cancel or release it to end the observation.
        @MainActor
        public func followMacAppLifeCycle(
            of center: NotificationCenter, observer: (any LifeCycleObserver)? = nil,
            backgroundTime: any BackgroundTime = .system
        ) -> FluxSubscription {
            AppLifeCycle(self, observer: observer, backgroundTime: backgroundTime).follow(
                [
                    (NSApplication.didBecomeActiveNotification, .active),
                    (NSApplication.didResignActiveNotification, .background),
                    (NSApplication.willTerminateNotification, .background),
                ], of: center)
        }
    }
#endif
