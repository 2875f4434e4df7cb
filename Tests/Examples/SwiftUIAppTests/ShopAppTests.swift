import Foundation
import SwiftUI
import Testing
import Tracking
import TrackingTesting

@testable import SwiftUIApp

@Suite("A SwiftUI app")
@MainActor
struct ShopAppTests {
    private let recorder: TrackingRecorder
    private let tracker: Tracker
    private let basket = Basket()

    init() throws {
        recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "SwiftUIApp"))
        tracker = .mock(recording: recorder)
    }

    private func basketScreen() -> HostedView {
        HostedView { [basket, tracker] in BasketView(basket: basket).tracked(by: tracker) }
    }

    @Test("an app that comes to the front, shows its basket and leaves sends launch, the page and background")
    func life() {
        let screen = basketScreen()
        screen.scenePhase = .active
        screen.appear()
        screen.scenePhase = .background
        recorder.expect(.launch, .pageView(.basket), .background)
    }

    @Test("a basket that is paid sends how many articles were bought")
    func paying() {
        basket.add("tea")
        basket.add("cup")
        let screen = basketScreen()
        #expect(screen.draw().texts == ["2 articles"])
        #expect(screen.tap("Pay"))
        recorder.expect(.checkoutCompleted(items: 2))
        #expect(screen.draw().texts == ["0 articles"])
    }

    @Test("an empty basket is not paid, and sends nothing")
    func empty() { #expect(basketScreen().tap("Pay")) }

    @Test("an article's page is sent when the article is known, once for each appearance")
    func lateArticle() {
        var id: String?
        let screen = HostedView { [basket, tracker] in ArticleView(id: id, basket: basket).tracked(by: tracker) }
        screen.appear()
        screen.tap("Add")
        id = "tea"
        screen.draw()
        screen.draw()
        screen.tap("Add")
        recorder.expect(.pageView(.article(id: "tea")), .articleAdded(article: "tea"))
        #expect(basket.articles == ["tea"])
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
