import Primitives
import Testing
import TrackingCore
import TrackingTesting

// The guides' code for calling two SDKs during a migration. The other SDKs' calls are declared as in their
// documentation.

/// Records calls.
private final class Calls: Sendable {
    private let noted = Locked<[String]>([])
    var all: [String] { noted.withLock { $0 } }
    func note(_ call: String) { noted.withLock { $0.append(call) } }
}

private enum SegmentGuide {
    struct Analytics {
        let calls: Calls
        func track(name: String, properties: [String: Int]) { calls.note("\(name) \(properties)") }
        func identify(userId: String) { calls.note(userId) }
    }

    struct BothTrackers {
        let tracker: Tracker
        let analytics: Analytics  // Segment's

        func checkoutCompleted(items: Int) {
            tracker.send(.checkoutCompleted(items: items))
            analytics.track(name: "Checkout Completed", properties: ["items": items])
        }

        func signedIn(as user: String) {
            tracker.identify(user)
            analytics.identify(userId: user)
        }
    }
}

private enum AmplitudeGuide {
    struct Amplitude {
        let calls: Calls
        func track(eventType: String, eventProperties: [String: Int]) { calls.note("\(eventType) \(eventProperties)") }
        func setUserId(userId: String?) { calls.note(userId ?? "nobody") }
    }

    struct BothTrackers {
        let tracker: Tracker
        let amplitude: Amplitude

        func checkoutCompleted(items: Int) {
            tracker.send(.checkoutCompleted(items: items))
            amplitude.track(eventType: "Checkout Completed", eventProperties: ["items": items])
        }

        func signedIn(as user: String) {
            tracker.identify(user)
            amplitude.setUserId(userId: user)
        }
    }
}

private enum MixpanelGuide {
    struct MixpanelInstance {
        let calls: Calls
        func track(event: String, properties: [String: Int]) { calls.note("\(event) \(properties)") }
        func identify(distinctId: String) { calls.note(distinctId) }
    }

    struct BothTrackers {
        let tracker: Tracker
        let mixpanel: MixpanelInstance

        func checkoutCompleted(items: Int) {
            tracker.send(.checkoutCompleted(items: items))
            mixpanel.track(event: "Checkout Completed", properties: ["items": items])
        }

        func signedIn(as user: String) {
            tracker.identify(user)
            mixpanel.identify(distinctId: user)
        }
    }
}

private enum PostHogGuide {
    struct PostHogSDK {
        let calls: Calls
        func capture(_ event: String, properties: [String: Int]) { calls.note("\(event) \(properties)") }
        func identify(_ distinctId: String) { calls.note(distinctId) }
    }

    struct BothTrackers {
        let tracker: Tracker
        let postHog: PostHogSDK

        func checkoutCompleted(items: Int) {
            tracker.send(.checkoutCompleted(items: items))
            postHog.capture("Checkout Completed", properties: ["items": items])
        }

        func signedIn(as user: String) {
            tracker.identify(user)
            postHog.identify(user)
        }
    }
}

private enum SnowplowGuide {
    final class Subject {
        var userId: String?
    }

    struct SelfDescribing {
        let schema: String
        let payload: [String: Int]
    }

    struct TrackerController {
        let calls: Calls
        let subject: Subject? = Subject()
        func track(_ event: SelfDescribing) { calls.note("\(event.schema) \(event.payload)") }
    }

    struct BothTrackers {
        let tracker: Tracker
        let snowplow: TrackerController

        func checkoutCompleted(items: Int) {
            tracker.send(.checkoutCompleted(items: items))
            snowplow.track(
                SelfDescribing(
                    schema: "iglu:com.example/checkout_completed/jsonschema/1-0-0", payload: ["items": items]))
        }

        func signedIn(as user: String) {
            tracker.identify(user)
            snowplow.subject?.userId = user
        }
    }
}

@Suite("Two SDKs during a migration")
struct BothTrackersTests {
    private let recorder = TrackingRecorder()
    private let calls = Calls()

    /// Both SDKs must receive both calls.
    private func expectBoth(
        _ other: [String], checkoutCompleted: (Int) -> Void, signedIn: (String) -> Void
    ) {
        checkoutCompleted(3)
        signedIn("user-1")
        checkoutCompleted(4)
        recorder.expect(.checkoutCompleted(items: 3), .checkoutCompleted(items: 4))
        #expect(recorder.containers.map { $0.userID == "user-1" } == [false, true])
        #expect(calls.all == other)
    }

    private let named = [#"Checkout Completed ["items": 3]"#, "user-1", #"Checkout Completed ["items": 4]"#]

    @Test("Segment")
    func segment() {
        let both = SegmentGuide.BothTrackers(tracker: .mock(recording: recorder), analytics: .init(calls: calls))
        expectBoth(named, checkoutCompleted: both.checkoutCompleted, signedIn: both.signedIn)
    }

    @Test("Amplitude")
    func amplitude() {
        let both = AmplitudeGuide.BothTrackers(tracker: .mock(recording: recorder), amplitude: .init(calls: calls))
        expectBoth(named, checkoutCompleted: both.checkoutCompleted, signedIn: both.signedIn)
    }

    @Test("Mixpanel")
    func mixpanel() {
        let both = MixpanelGuide.BothTrackers(tracker: .mock(recording: recorder), mixpanel: .init(calls: calls))
        expectBoth(named, checkoutCompleted: both.checkoutCompleted, signedIn: both.signedIn)
    }

    @Test("PostHog")
    func postHog() {
        let both = PostHogGuide.BothTrackers(tracker: .mock(recording: recorder), postHog: .init(calls: calls))
        expectBoth(named, checkoutCompleted: both.checkoutCompleted, signedIn: both.signedIn)
    }

    @Test("Snowplow")
    func snowplow() {
        let both = SnowplowGuide.BothTrackers(tracker: .mock(recording: recorder), snowplow: .init(calls: calls))
        let schema = "iglu:com.example/checkout_completed/jsonschema/1-0-0"
        expectBoth(
            ["\(schema) [\"items\": 3]", "\(schema) [\"items\": 4]"], checkoutCompleted: both.checkoutCompleted,
            signedIn: both.signedIn)
        #expect(both.snowplow.subject?.userId == "user-1")
    }
}
