import AppleFoundation
import Foundation
import Primitives
import UIKit
import UserNotifications

/// An app's own scene delegate, which records its calls.
@MainActor
final class NextSceneDelegate: NSObject, UIWindowSceneDelegate {
    private(set) var calls: [String] = []

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) { calls.append("connect") }
    func sceneDidDisconnect(_ scene: UIScene) { calls.append("disconnect") }
    func sceneDidBecomeActive(_ scene: UIScene) { calls.append("active") }
    func sceneWillResignActive(_ scene: UIScene) { calls.append("inactive") }
    func sceneWillEnterForeground(_ scene: UIScene) { calls.append("foreground") }
    func sceneDidEnterBackground(_ scene: UIScene) { calls.append("background") }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) { calls.append("continue") }
}

/// An app's own delegate, which records its calls.
@MainActor
final class NextAppDelegate: NSObject, UIApplicationDelegate {
    private(set) var calls: [String] = []
    var answer = true

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.append("finished")
        return answer
    }
    func applicationDidBecomeActive(_ application: UIApplication) { calls.append("active") }
    func applicationWillResignActive(_ application: UIApplication) { calls.append("inactive") }
    func applicationDidEnterBackground(_ application: UIApplication) { calls.append("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { calls.append("foreground") }
    func applicationWillTerminate(_ application: UIApplication) { calls.append("terminate") }
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        restorationHandler(nil)
        return answer
    }
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        calls.append("session")
        completionHandler()
    }
}

/// An app's own delegate of the notification center, which records its calls.
final class NextNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
    private let names = Locked<[String]>([])
    var calls: [String] { names.withLock { $0 } }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        names.withLock { $0.append("response \(response.notification.request.identifier)") }
        completionHandler()
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        names.withLock { $0.append("present \(notification.request.identifier)") }
        completionHandler([.banner, .sound])
    }
    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        names.withLock { $0.append("settings") }
    }
}
