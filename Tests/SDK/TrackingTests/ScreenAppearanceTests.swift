import Testing
import TrackerFixtures
import TrackingCore

@testable import Tracking

enum ShopPage: TrackingPage {
    case basket
    case article(String)

    var name: String { if case .basket = self { "basket" } else { "article" } }
    var additional: String? { if case .article(let id) = self { id } else { nil } }
}

@Suite("Appearances of a screen")
struct ScreenAppearanceTests {
    private let sent = SentEvents()
    private let appearance = ScreenAppearance()

    @Test("each appearance sends one page-view with the page's name and details")
    func appearances() {
        appearance.appeared(ShopPage.article("12"), sent.tracker)
        appearance.appeared(ShopPage.article("12"), sent.tracker)
        appearance.disappeared()
        appearance.appeared(ShopPage.basket, sent.tracker)
        #expect(sent.events(PageView.self) == [PageView(page: "article", additional: "12"), PageView(page: "basket")])
    }

    @Test("a page that becomes known while the screen is visible is sent then, once")
    func lateURL() {
        appearance.changed(to: ShopPage.basket, sent.tracker)
        #expect(sent.names == [])
        appearance.appeared(ShopPage?.none, sent.tracker)
        #expect(sent.names == [])
        appearance.changed(to: ShopPage.basket, sent.tracker)
        appearance.changed(to: ShopPage.article("1"), sent.tracker)
        #expect(sent.events(PageView.self) == [PageView(page: "basket")])
    }
}
