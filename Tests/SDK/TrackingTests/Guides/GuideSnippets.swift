import Testing
import Tracking
import TrackingCore
import TrackingLifeCycle
import TrackingTesting

// The guides show this code; `GuideTests` compares them.

/// Compiled only, since it writes to the disk and the network. The tests of `Tracker.start` run the same calls.
enum GuideStarts {
    static func standard(url: String, key: String) -> Tracker {
        Tracker.start(.http(url, key: key))
    }

    static func afterConsent(url: String, key: String) -> Tracker {
        Tracker.start(.http(url, key: key), configuration: TrackingConfiguration(consent: .required))
    }

    static func sooner(url: String, key: String) -> Tracker {
        Tracker.start(
            .http(url, key: key),
            configuration: TrackingConfiguration {
                $0.flushPolicy = FlushPolicy(eventCount: 20, interval: .seconds(30), onBackground: true)
            })
    }
}

@Suite("The code of the guides")
struct GuideSnippets {
    private let recorder = TrackingRecorder()
    private let tracker: Tracker

    init() { tracker = .mock(recording: recorder) }

    @Test("events, pages and users")
    func sending() async throws {
        tracker.send(.checkoutCompleted(items: 3))
        tracker.send(.pageView(.basket))
        tracker.identify("user-1")
        tracker.send(.planChanged(to: .premium))
        tracker.reset()
        await tracker.flush()
        recorder.expect(.checkoutCompleted(items: 3), .pageView(.basket), .planChanged(to: .premium))
        #expect(recorder.containers.map { $0.userID == "user-1" } == [false, false, true])
    }

    @Test("denying consent")
    func denying() async throws {
        try await tracker.setConsent(.denied)
        #expect(tracker.send(.checkoutCompleted(items: 3)) == nil)
        recorder.skipRecorded()
    }

    @Test("receipts")
    func receipts() async throws {
        let receipt = tracker.send(.checkoutCompleted(items: 3))
        #expect(receipt?.seq == 1)
        try await tracker.send(.checkoutCompleted(items: 4), reaching: .survivesPowerLoss)
        recorder.expect(.checkoutCompleted(items: 3), .checkoutCompleted(items: 4))
    }

    @Test("the set of life-cycle events")
    func lifeCycle() throws {
        let (app, storage, report) = (
            AppVersion(version: "2.1", build: "210"), recorder.storage, { @Sendable (_: TrackingDiagnostic) in }
        )
        let lifeCycle = LifeCycleEvents(of: app, storage: storage, with: tracker, diagnostics: report)
        lifeCycle.started()
        #expect(recorder.containers.map(\.name) == ["app-installed"])
        recorder.skipRecorded()
    }

    @Test("the test of an event")
    func test() {
        let recorder = TrackingRecorder()
        checkout(with: .mock(recording: recorder))
        recorder.expect(.checkoutCompleted(items: 3))
    }

    @Test("a tracker that records")
    func mock() {
        let tracker = Tracker.mock(recording: recorder)
        checkout(with: tracker)
        recorder.expect(.checkoutCompleted(items: 3))
    }

    private func checkout(with tracker: Tracker) { tracker.send(.checkoutCompleted(items: 3)) }
}
