import Tracking
import UIKit
import UserNotifications

/// A UIKit app with scenes.
///
/// Its scene delegate reports the life cycle, its view controllers say which page they are, and the notification center's delegate
/// reports responses. Nothing is swizzled: each of them is a class of the app that derives from, or holds, one of the SDK's.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Started at the first use, and once per process.
    static let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))

    /// The notification center does not keep its delegate.
    private let notifications = TrackedNotificationDelegate(AppDelegate.tracker)

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = notifications
        return true
    }
}
