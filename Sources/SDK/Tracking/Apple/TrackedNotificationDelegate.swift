#if canImport(UserNotifications) && NOTIFICATION_RESPONSES
    public import Foundation
    public import TrackingCore
    public import UserNotifications

    /// A delegate of the notification center that sends `notification` when the user responds to a notification, and
    /// forwards all calls to the app's own delegate.
    ///
    /// ```swift
    /// let notifications = TrackedNotificationDelegate(tracker, next: self)
    /// UNUserNotificationCenter.current().delegate = notifications  // a weak reference: keep `notifications`
    /// ```
    ///
    /// The completion handler of a response is called exactly once, even if the event is dropped: by the app's delegate
    /// if it handles responses, otherwise by this one.
    public final class TrackedNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
        private let tracker: Tracker
        private let next: (any UNUserNotificationCenterDelegate)?

        /// Makes the delegate.
        ///
        /// - Parameters:
        ///   - tracker: The app's tracker.
        ///   - next: The app's own delegate. Retained.
        public init(_ tracker: Tracker, next: (any UNUserNotificationCenterDelegate)? = nil) {
            self.tracker = tracker
            self.next = next
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            let request = response.notification.request
            let next = next?.userNotificationCenter(_:didReceive:withCompletionHandler:)
            NotificationResponses.respond(
                identifier: request.identifier, userInfo: request.content.userInfo, with: tracker,
                next: next.map { next in { next(center, response, $0) } }, completion: completionHandler)
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            let next = next?.userNotificationCenter(_:willPresent:withCompletionHandler:)
            // Without a delegate, the system does not present the notification, either.
            if let next { next(center, notification, completionHandler) } else { completionHandler([]) }
        }

        #if NOTIFICATION_SETTINGS
            public func userNotificationCenter(
                _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
            ) {
                let next = next?.userNotificationCenter(_:openSettingsFor:)
                next?(center, notification)
            }
        #endif
    }
#endif
