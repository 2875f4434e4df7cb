public import AppleFoundation
public import Foundation

/// Its methods are optional. Swift has no optional methods without Objective-C, so methods that an app does not implement have
/// defaults that behave like UIKit.
///
/// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate>
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didfinishlaunchingwithoptions:)>
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationdidbecomeactive(_:)>
    func applicationDidBecomeActive(_ application: UIApplication)
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationwillresignactive(_:)>
    func applicationWillResignActive(_ application: UIApplication)
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationdidenterbackground(_:)>
    func applicationDidEnterBackground(_ application: UIApplication)
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationwillenterforeground(_:)>
    func applicationWillEnterForeground(_ application: UIApplication)
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationwillterminate(_:)>
    func applicationWillTerminate(_ application: UIApplication)
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:continue:restorationhandler:)>
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:handleeventsforbackgroundurlsession:completionhandler:)>
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)
}

extension UIApplicationDelegate {
    /// <https://developer.apple.com/documentation/uikit/uiapplicationdelegate/main()>
    public static func main() { fatalError("the stubs can't run an app; tests call its delegates") }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) { completionHandler() }
}

/// <https://developer.apple.com/documentation/uikit/uiuseractivityrestoring>
@MainActor
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/uikit/uiuseractivityrestoring/restoreuseractivitystate(_:)>
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

extension UIApplication {
    /// <https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey>
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
