import Tracking
import UIKit
import UserNotifications

/// A UIKit app with scenes.
///
/// Its scene delegate reports the life cycle, its view controllers their pages, and the notification center's delegate
/// the responses. Nothing is swizzled: each is a class of the app that subclasses or owns a class of the SDK.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Starts at first use, once per process.
    static let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))

    /// A strong reference, because the notification center keeps none.
    private let notifications = TrackedNotificationDelegate(AppDelegate.tracker)

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = notifications
        return true
    }
}
