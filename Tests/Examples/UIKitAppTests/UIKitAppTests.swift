import Foundation
import Testing
import Tracking
import TrackingTesting
import UIKit

@testable import UIKitApp

@Suite("A UIKit app")
@MainActor
struct UIKitAppTests {
    /// The app's own delegate, with a tracker that records.
    private final class TestedSceneDelegate: SceneDelegate {
        var testTracker = Tracker.noop
        override var tracker: Tracker { testTracker }
    }

    private let recorder: TrackingRecorder
    private let tracker: Tracker

    init() throws {
        recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "UIKitApp"))
        tracker = .mock(recording: recorder)
    }

    private func tap(_ title: String, of controller: UIViewController) throws {
        let item = try #require(controller.navigationItem.rightBarButtonItems?.first { $0.title == title })
        item.primaryAction?.performWithSender(nil, target: nil)
    }

    @Test("a scene shows the basket, and sends launch, the page and background")
    func scene() throws {
        let (delegate, scene) = (TestedSceneDelegate(), UIWindowScene())
        delegate.testTracker = tracker
        let called: any UIWindowSceneDelegate = delegate
        called.scene(scene, willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions())
        called.sceneDidBecomeActive(scene)
        let navigation = try #require(delegate.window?.rootViewController as? UINavigationController)
        try #require(navigation.viewControllers.first as? BasketViewController).viewDidAppear(true)
        called.sceneDidEnterBackground(scene)
        recorder.expect(.launch, .pageView(.basket), .background)
    }

    @Test("buttons change the basket, and send what was done")
    func buttons() throws {
        let basket = BasketViewController(tracker)
        try tap("Pay", of: basket)
        try tap("Add tea", of: basket)
        #expect(basket.articles == ["tea"])
        try tap("Pay", of: basket)
        #expect(basket.articles == [])
        recorder.expect(.articleAdded(article: "tea"), .checkoutCompleted(items: 1))
    }

    @Test("an article sends its page at each appearance, and once more when it becomes known in front of the user")
    func article() {
        let controller = ArticleViewController(tracker)
        controller.viewDidAppear(true)
        controller.show(id: "tea")
        controller.show(id: "tea")
        recorder.expect(.pageView(.article(id: "tea")))
        controller.viewDidAppear(true)
        recorder.expect(.pageView(.article(id: "tea")))
        let known = ArticleViewController(tracker)
        known.show(id: "cup")
        known.viewDidAppear(true)
        recorder.expect(.pageView(.article(id: "cup")))
    }
}

extension CompiledPlan {
    /// The standard events, and those in the folder `Schemas` of an example.
    static func ofSchemas(in example: String) throws -> CompiledPlan {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let schemas = tests.appendingPathComponent("../../../Sources/Examples/\(example)/Schemas").standardized.path
        return try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas)))
    }
}
