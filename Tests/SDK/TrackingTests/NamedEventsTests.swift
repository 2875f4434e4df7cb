import Foundation
import Testing
import TrackerFixtures
import TrackingCore

@testable import Tracking

@Suite("Events by name, as Objective-C sends them")
struct NamedEventsTests {
    private struct CheckoutCompleted: TrackingEvent, Decodable, Equatable {
        static let name = "checkout-completed"
        let items: Int
    }

    private let sent = SentEvents()
    private let events: NamedEvents

    init() {
        events = NamedEvents(sent.tracker)
        events.register(CheckoutCompleted.self)
    }

    @Test("a registered type is made from the dictionary")
    func decoded() {
        #expect(events.send("checkout-completed", ["items": 3]))
        #expect(sent.events(CheckoutCompleted.self) == [CheckoutCompleted(items: 3)])
    }

    @Test("a registered closure makes the event")
    func made() {
        events.register(PageView.self) { properties in PageView(page: properties["page"] as? String ?? "none") }
        #expect(events.send("page-view", ["page": "basket"]))
        #expect(sent.events(PageView.self) == [PageView(page: "basket")])
    }

    @Test("an unregistered name is a counted drop")
    func unknownName() {
        #expect(!events.send("checkout-complete", ["items": 3]))
        #expect(sent.names == [])
        #expect(sent.drops == ["checkout-complete: invalid-name"])
    }

    @Test("properties that the type rejects, or that are not JSON, are a counted drop")
    func rejected() {
        #expect(!events.send("checkout-completed", ["items": "three"]))
        #expect(!events.send("checkout-completed", ["items": Date()]))
        #expect(sent.drops == ["checkout-completed: encoding", "checkout-completed: encoding"])
    }

    @Test("a limit of the event's schema applies")
    func limit() {
        events.register(PageView.self) { _ in PageView(page: "") }
        #expect(!events.send("page-view", [:]))
        #expect(sent.drops == ["page-view: out-of-limits"])
    }
}
