#if canImport(AppKit) && APPKIT_APPS
    internal import AppKit
    public import EventLog
    public import Flux
    public import Foundation
    public import TrackingCore

    extension Tracker {
        /// Sends `launch` when a Mac app becomes active, `background` when it resigns active or terminates, and delivers
        /// events then. For an app without SwiftUI scenes; one with scenes uses `tracked(by:)`.
        ///
        /// What is not delivered when a Mac app terminates stays in its log, and is delivered at the next start.
        ///
        /// - Parameters:
        ///   - center: The center to which AppKit posts: `.default`.
        ///   - observer: What else follows the app: a set of life-cycle events.
        ///   - backgroundTime: Keeps the app from App Nap and from sudden termination while events are delivered.
        /// - Returns: The token that keeps it going: dropping or cancelling it ends it.
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
