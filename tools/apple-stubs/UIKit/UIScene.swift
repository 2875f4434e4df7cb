public import AppleFoundation
public import Foundation

/// <https://developer.apple.com/documentation/uikit/uiscene>
@MainActor
open class UIScene: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiscene/connectionoptions>
    @MainActor
    open class ConnectionOptions: NSObject {
        /// <https://developer.apple.com/documentation/uikit/uiscene/connectionoptions/useractivities>
        public let userActivities: Set<NSUserActivity>

        /// For tests: in an app, UIKit creates them.
        public init(userActivities: Set<NSUserActivity> = []) { self.userActivities = userActivities }
    }
}

/// <https://developer.apple.com/documentation/uikit/uiscenesession>
@MainActor
open class UISceneSession: NSObject {}

/// Its methods are optional, see ``UIApplicationDelegate``.
///
/// <https://developer.apple.com/documentation/uikit/uiscenedelegate>
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willconnectto:options:)>
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scenediddisconnect(_:)>
    func sceneDidDisconnect(_ scene: UIScene)
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scenedidbecomeactive(_:)>
    func sceneDidBecomeActive(_ scene: UIScene)
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scenewillresignactive(_:)>
    func sceneWillResignActive(_ scene: UIScene)
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scenewillenterforeground(_:)>
    func sceneWillEnterForeground(_ scene: UIScene)
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scenedidenterbackground(_:)>
    func sceneDidEnterBackground(_ scene: UIScene)
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:continue:)>
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

/// <https://developer.apple.com/documentation/uikit/uiwindowscenedelegate>
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// Optional, too.
    ///
    /// <https://developer.apple.com/documentation/uikit/uiwindowscenedelegate/window>
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

/// <https://developer.apple.com/documentation/uikit/uiwindowscene>
@MainActor
open class UIWindowScene: UIScene {}

/// <https://developer.apple.com/documentation/uikit/uiwindow>
@MainActor
open class UIWindow: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiwindow/windowscene>
    public private(set) weak var windowScene: UIWindowScene?
    /// <https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller>
    open var rootViewController: UIViewController?

    /// <https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)>
    public init(windowScene: UIWindowScene) { self.windowScene = windowScene }

    /// <https://developer.apple.com/documentation/uikit/uiwindow/makekeyandvisible()>
    open func makeKeyAndVisible() {}
}
