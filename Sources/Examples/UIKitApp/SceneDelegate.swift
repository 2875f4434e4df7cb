import Tracking
import UIKit

/// Sends `launch` and `background`, and delivers events on entering the background: an override of `tracker` is all.
/// `Info.plist` names this class in `UISceneDelegateClassName`.
///
/// An app whose scene delegate has another superclass keeps it, makes a `TrackedSceneDelegate` the scene's delegate, and sets its own as
/// `nextDelegate`.
class SceneDelegate: TrackedSceneDelegate {
    override var tracker: Tracker { AppDelegate.tracker }

    override func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        super.scene(scene, willConnectTo: session, options: connectionOptions)
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: BasketViewController(tracker))
        window.makeKeyAndVisible()
        self.window = window
    }
}
