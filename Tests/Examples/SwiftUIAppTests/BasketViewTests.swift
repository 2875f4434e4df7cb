import SwiftUI
import Testing
import Tracking
import TrackingTesting

@testable import SwiftUIApp

@Suite("A SwiftUI app")
@MainActor
struct BasketViewTests {
    private let recorder: TrackingRecorder
    private let screen: HostedView

    init() throws {
        let (recorder, basket) = (try TrackingRecorder(validatingAgainst: .ofSchemas(in: "SwiftUIApp")), Basket())
        self.recorder = recorder
        screen = HostedView { [tracker = Tracker.mock(recording: recorder)] in
            BasketView(basket: basket).tracked(by: tracker)
        }
    }

    @Test("an app that comes to the front, shows its basket and leaves sends launch, the page and background")
    func life() {
        screen.scenePhase = .active
        screen.appear()
        screen.scenePhase = .background
        recorder.expect(.launch, .pageView(.basket), .background)
    }

    @Test("buttons change the basket, and send what was done")
    func buttons() {
        #expect(screen.tap("Add tea"))
        #expect(screen.tap("Add tea"))
        #expect(screen.draw().texts == ["2 articles"])
        #expect(screen.tap("Pay"))
        recorder.expect(.articleAdded(article: "tea"), .articleAdded(article: "tea"), .checkoutCompleted(items: 2))
        #expect(screen.draw().texts == ["0 articles"])
    }

    @Test("an empty basket is not paid, and sends nothing")
    func empty() { #expect(screen.tap("Pay")) }

    @Test("an article's page is sent when the article is known, once for each appearance")
    func lateArticle() {
        var id: String?
        let tracker = Tracker.mock(recording: recorder)
        let screen = HostedView { ArticleView(id: id).tracked(by: tracker) }
        screen.appear()
        id = "tea"
        screen.draw()
        screen.draw()
        recorder.expect(.pageView(.article(id: "tea")))
    }
}
