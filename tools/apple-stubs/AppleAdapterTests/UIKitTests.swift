import AppleFoundation
import EventLog
import Foundation
import Primitives
import Testing
import TrackerFixtures
import Tracking
import TrackingCore
import UIKit

/// Delegate methods are called through Apple's protocols: instead of a misspelled method, the protocol's default is called.
@Suite("UIKit", .timeLimit(.minutes(1)))
@MainActor
struct UIKitTests {
    private final class SceneDelegate: TrackedSceneDelegate {
        var sent: SentEvents?
        let observer = NotedLifeCycle()
        override var tracker: Tracker { sent?.tracker ?? .noop }
        override var lifeCycleObserver: (any LifeCycleObserver)? { observer }
    }

    private final class AppDelegate: TrackedAppDelegate {
        var sent: SentEvents?
        let observer = NotedLifeCycle()
        override var tracker: Tracker { sent?.tracker ?? .noop }
        override var lifeCycleObserver: (any LifeCycleObserver)? { observer }
    }

    private final class Basket: TrackedViewController<Page> {
        let sent: SentEvents
        init(_ sent: SentEvents) {
            self.sent = sent
            super.init(nibName: nil, bundle: nil)
        }
        required init?(coder: NSCoder) { nil }
        override var tracker: Tracker { sent.tracker }
        override var trackedPage: Page? { .basket }
    }

    private final class Checkout: UIViewController, TrackedScreen {
        let sent = SentEvents()
        var trackedPage: Page?

        override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            trackAppearance(with: sent.tracker)
        }
    }

    private let sent = SentEvents()
    private let application = UIApplication()
    private let link = "https://shop.example/sale?utm_source=mail&id=1"

    private func browsing() -> NSUserActivity {
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = URL(string: link)
        activity.referrerURL = URL(string: "https://mail.example/inbox")
        return activity
    }

    private func sceneDelegate() -> (own: SceneDelegate, any UIWindowSceneDelegate, next: NextSceneDelegate) {
        let (delegate, next) = (SceneDelegate(), NextSceneDelegate())
        delegate.sent = sent
        delegate.nextDelegate = next
        return (delegate, delegate, next)
    }

    private func appDelegate() -> (own: AppDelegate, any UIApplicationDelegate, next: NextAppDelegate) {
        let (delegate, next) = (AppDelegate(), NextAppDelegate())
        delegate.sent = sent
        delegate.nextDelegate = next
        return (delegate, delegate, next)
    }

    @Test("a scene's calls send launch and background, and are passed on")
    func scene() {
        let (own, delegate, next) = sceneDelegate()
        let scene = UIScene()
        delegate.scene(scene, willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions())
        delegate.sceneWillEnterForeground(scene)
        delegate.sceneDidBecomeActive(scene)
        delegate.sceneWillResignActive(scene)
        delegate.sceneDidBecomeActive(scene)
        delegate.sceneWillResignActive(scene)
        delegate.sceneDidEnterBackground(scene)
        #expect(sent.names == ["launch", "launch", "background"])
        #expect(own.observer.calls == ["active", "active", "background"])
        delegate.sceneDidBecomeActive(scene)
        delegate.sceneDidDisconnect(scene)
        #expect(sent.names == ["launch", "launch", "background", "launch", "background"])
        #expect(
            next.calls == [
                "connect", "foreground", "active", "inactive", "active", "inactive", "background", "active",
                "disconnect",
            ])
    }

    @Test("an app with two scenes is in the background when both are")
    func twoScenes() {
        let (first, second) = (sceneDelegate(), sceneDelegate())
        let scenes = (UIScene(), UIScene())
        first.1.sceneDidBecomeActive(scenes.0)
        second.1.sceneDidBecomeActive(scenes.1)
        first.1.sceneDidEnterBackground(scenes.0)
        #expect(sent.names == ["launch"])
        second.1.sceneDidEnterBackground(scenes.1)
        #expect(sent.names == ["launch", "background"])
    }

    @Test("a universal link is reported, when it starts the app and when it continues; no other activity is")
    func links() throws {
        let (own, delegate, next) = sceneDelegate()
        let scene = UIScene()
        delegate.scene(
            scene, willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions(userActivities: [browsing()]))
        delegate.scene(scene, continue: browsing())
        delegate.scene(scene, continue: NSUserActivity(activityType: "example.handoff"))
        #expect(
            own.observer.calls == [
                "\(link) from https://mail.example/inbox", "\(link) from https://mail.example/inbox",
            ])
        #expect(next.calls == ["connect", "continue", "continue"])
    }

    @Test("an app's calls send launch and background, and are passed on with their answers")
    func app() async {
        let (own, delegate, next) = appDelegate()
        next.answer = false
        #expect(!delegate.application(application, didFinishLaunchingWithOptions: nil))
        delegate.applicationWillEnterForeground(application)
        delegate.applicationDidBecomeActive(application)
        delegate.applicationWillResignActive(application)
        delegate.applicationDidEnterBackground(application)
        #expect(sent.names == ["launch", "background"])
        #expect(application.taskNames == ["Delivering tracked events"])
        while application.runningTasks > 0 { await Task.yield() }
        #expect(sent.deliveredCount == 2)
        delegate.applicationWillTerminate(application)
        #expect(sent.names == ["launch", "background"])
        #expect(own.observer.calls == ["active", "background"])
        #expect(next.calls == ["finished", "foreground", "active", "inactive", "background", "terminate"])
    }

    @Test("an app that terminates in front of its user sends background")
    func termination() {
        let (_, delegate, _) = appDelegate()
        delegate.applicationDidBecomeActive(application)
        delegate.applicationWillTerminate(application)
        #expect(sent.names == ["launch", "background"])
    }

    @Test("an app's universal link is reported; restoration handler and answer are the next delegate's")
    func appLink() {
        let (own, delegate, next) = appDelegate()
        let restorations = Counts()
        #expect(delegate.application(application, continue: browsing()) { _ in restorations.add() })
        #expect(restorations.all == [1])
        next.answer = false
        #expect(!delegate.application(application, continue: NSUserActivity(activityType: "example")) { _ in })
        own.nextDelegate = nil
        #expect(!delegate.application(application, continue: browsing()) { _ in restorations.add() })
        #expect(restorations.all == [1])
        #expect(own.observer.calls.count == 2)
    }

    @Test("a background session's completion handler is called once, by the next delegate or without one")
    func backgroundSession() {
        let (own, delegate, next) = appDelegate()
        let completions = Counts()
        func handle() {
            delegate.application(application, handleEventsForBackgroundURLSession: "s") { completions.add() }
        }
        handle()
        #expect(next.calls == ["session"])
        #expect(completions.all == [1])
        own.nextDelegate = nil
        handle()
        #expect(completions.all == [1, 1])
        #expect(delegate.application(application, didFinishLaunchingWithOptions: nil))
    }

    @Test("a view controller sends page-view at each appearance, and calls UIKit's own implementation")
    func screens() {
        let basket = Basket(sent)
        let controller: UIViewController = basket
        controller.viewDidAppear(true)
        controller.viewDidAppear(false)
        #expect(sent.events(PageView.self) == [PageView(page: "basket"), PageView(page: "basket")])
        #expect(basket.appearances == 2)
    }

    @Test("a screen whose page is not known sends nothing")
    func unknownPage() {
        let checkout = Checkout()
        checkout.viewDidAppear(true)
        #expect(checkout.sent.names == [])
        checkout.trackedPage = .checkout
        checkout.viewDidAppear(true)
        #expect(checkout.sent.events(PageView.self) == [PageView(page: "checkout")])
    }

    @Test("notifications of the app send launch and background, until they are not followed any more")
    func notifications() {
        let center = NotificationCenter()
        let subscription = sent.tracker.followAppLifeCycle(of: center)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        center.post(name: UIApplication.willResignActiveNotification, object: nil)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(sent.names == ["launch", "launch", "background"])
        subscription.cancel()
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(sent.names == ["launch", "launch", "background"])
    }
}
