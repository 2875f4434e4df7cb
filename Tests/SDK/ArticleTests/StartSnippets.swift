import Foundation
import Testing
import Tracking
import TrackingTesting

// The README and the articles show this code; `ArticleTests` compares them.

/// As the plugin generates it.
enum Page: TrackingPage {
    case basket
    case article(url: String)

    var name: String {
        switch self {
        case .basket: "basket"
        case .article: "article"
        }
    }

    var additional: String? {
        switch self {
        case .basket: nil
        case .article(let url): url
        }
    }
}

extension TrackingEvent where Self == PageView {
    static func pageView(_ page: Page) -> Self { PageView(page) }
}

struct NoteRemoved: TrackingEvent {
    static let name = "note-removed"
    let position: Int
}

extension TrackingEvent where Self == NoteRemoved {
    static func noteRemoved(position: Int) -> Self { NoteRemoved(position: position) }
}

private struct Checkout {
    let tracker: Tracker

    func didPay(items: Int) { tracker.send(.checkoutCompleted(items: items)) }
}

@Test("paying fires checkout-completed")
func paying() {
    let recorder = TrackingRecorder()
    Checkout(tracker: .mock(recording: recorder)).didPay(items: 3)
    recorder.expect(.checkoutCompleted(items: 3))
}

@Test("checkout-completed waits until the customer agrees")
func asking() async throws {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder, consent: .required)
    Checkout(tracker: tracker).didPay(items: 3)
    recorder.expectHeld(.checkoutCompleted(items: 3))
    tracker.identify("customer-4711")
    try await tracker.setConsent(.granted)
    recorder.expectReleased(.checkoutCompleted(items: 3))
}

@Test("the events of the articles fire as documented")
func articleEvents() async throws {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let (items, url) = (3, "https://shop.example/tea")
    tracker.send(try CheckoutCompleted(items: items).validated())
    tracker.send(.pageView(.basket))
    tracker.send(.pageView(.article(url: url)))
    tracker.send(.noteRemoved(position: 1))
    let receipt = try await tracker.send(.checkoutCompleted(items: 3), reaching: .survivesProcessKill)
    #expect(receipt?.seq == 5)
    recorder.expect(
        .checkoutCompleted(items: 3), .pageView(.basket), .pageView(.article(url: url)), .noteRemoved(position: 1),
        .checkoutCompleted(items: 3))
}

@Test("users are identified and signed out, and their answers are stored, as documented")
func articleUsers() async throws {
    let tracker = Tracker.mock(recording: TrackingRecorder())
    tracker.identify("customer-4711")
    tracker.reset()
    try await tracker.setConsent(.granted)  // the person's answer; or .denied
    let status = tracker.consent
    let user = tracker.userID
    #expect(status == tracker.consent && status.value == .granted && status.isAnswered && user == nil)
}

@Test("a recorder with the app's plan validates pages as documented")
func articlePlan() throws {
    let schemas = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../Sources/Sample/GitHubClient/Schemas").standardized.path
    let plan = try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas)))
    let recorder = TrackingRecorder(validatingAgainst: plan)
    let tracker = Tracker.mock(recording: recorder)
    tracker.send(PageView(page: "repository-search"))
    #expect(recorder.violations.isEmpty)
    withKnownIssue { _ = tracker.send(PageView(page: "repository-serach")) }
    #expect(recorder.violations.flatMap(\.findings).map(\.kind) == [.pageNotInPlan])
    recorder.skipRecorded()
}

/// Compiled only: it would start trackers in the user's folder.
func startSnippets(url: String, key: String, publicKey: String, bytes: [UInt8]) async throws {
    do {
        let tracker = Tracker.start(
            .http("https://collector.example.com/v1/events", key: key),
            configuration: TrackingConfiguration { $0.switches = .fetched(publicKeys: [publicKey]) })
        tracker.send(.launch)
    }
    do {
        let tracker = Tracker.start(
            .http(url, key: key), configuration: TrackingConfiguration { $0.switches = .document(bytes) })
        tracker.send(.launch)
    }
    do {
        let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))
        tracker.send(.launch)
        await tracker.flush()
    }
    do {
        let tracker = Tracker.start(
            .http(url, key: key), configuration: TrackingConfiguration(consent: .required))
        try await tracker.setConsent(.granted)
    }
    do {
        let tracker = Tracker.start(
            .http(url, key: key),
            configuration: TrackingConfiguration(consent: .required(for: [.ads])) { $0.purposes = Purpose.planned })
        try await tracker.setConsent(.denied, for: [.ads])
        try await tracker.setConsent(.granted, for: [.analytics])
        let ads = tracker.consent(for: .ads)
        #expect(!ads.isGranted)
    }
    do {
        let tracker = Tracker.start(
            .http(url, key: key), configuration: TrackingConfiguration(consent: .required(before: .memory)))
        try? await tracker.opened()  // throws `consentUnknown` until the person agrees
        let isAsking = !tracker.consent.isAnswered
        #expect(isAsking)
    }
    do {
        let tracker = Tracker.noop
        let receipt = try await tracker.send(.checkoutCompleted(items: 3), reaching: .survivesPowerLoss)
        #expect(receipt == nil)
    }
}

/// Compiled only, as above: unused trackers.
func deliverySnippets(url: String, key: String) -> [Tracker] {
    @ArrayBuilder var trackers: [Tracker] {
        Tracker.start()
        Tracker.start(.file(named: "shop", in: "/var/log/shop"))
        Tracker.start(.http(url, key: key))
        Tracker.start(.http(url, key: key), .file)
        Tracker.start(.logOnly)
    }
    return trackers
}

@resultBuilder
private enum ArrayBuilder {
    static func buildBlock(_ trackers: Tracker...) -> [Tracker] { trackers }
}

/// As the build generates them.
extension Purpose {
    fileprivate static let ads: Purpose = "ads"
    fileprivate static let planned: [Purpose] = [.analytics, .ads]
}
