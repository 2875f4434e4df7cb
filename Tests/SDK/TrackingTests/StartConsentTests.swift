import CommandRunner
import EventLog
import Testing
import TrackingCore

@testable import Tracking

private struct StepSeen: TrackingEvent {
    static let name = "step-seen"
}

/// Users and consent of trackers as started by an app, with real files.
@Suite("Users and consent with Tracker.start", .timeLimit(.minutes(5)))
struct StartConsentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ consent: ConsentPolicy, _ scope: ConsentScope = .person) async throws -> Tracker {
        let tracker = Tracker.start(
            .logOnly,
            configuration: TrackingConfiguration(folder: folder.path("tracking"), consent: consent) {
                $0.consentScope = scope
            },
            diagnostics: { _ in })
        try await tracker.opened()
        return tracker
    }

    @Test("with required consent, the person has not answered until the first answer, which survives restarts")
    func restarts() async throws {
        for _ in 1...2 {
            let tracker = try await start(.required)
            #expect(tracker.consent.value == .unknown && !tracker.consent.isAnswered)
            #expect(tracker.send(StepSeen()) != nil)
            try await tracker.close()
        }
        var tracker = try await start(.required)
        try await tracker.setConsent(.denied)
        try await tracker.close()
        for policy in [ConsentPolicy.assumed, .required] {
            tracker = try await start(policy)
            #expect(tracker.consent.value == .denied && tracker.consent.isAnswered)
            #expect(tracker.send(StepSeen()) == nil)
            try await tracker.close()
        }
    }

    @Test("trackers with the same folder share user and consent")
    func shared() async throws {
        let (app, widget) = (try await start(.required), try await start(.required))
        app.identify("ada")
        let receipt = widget.send(StepSeen())
        #expect(receipt != nil)
        try await widget.setConsent(.denied)
        #expect(app.send(StepSeen()) == nil)
        #expect(app.consent.value == .denied && app.consent.isAnswered)
        app.reset()
        #expect(widget.send(StepSeen()) == nil)
        #expect(widget.consent.value == .denied && !widget.consent.isAnswered)
        try await app.setConsent(.granted)
        #expect(widget.send(StepSeen()) != nil)
        app.identify("ada")
        #expect(widget.send(StepSeen()) != nil)
        #expect(widget.consent.value == .granted && widget.consent.isAnswered)
        for tracker in [app, widget] { try await tracker.close() }
    }

    @Test("with the scope device, one answer is valid for each user")
    func device() async throws {
        var tracker = try await start(.required, .device)
        try await tracker.setConsent(.denied)
        tracker.identify("ada")
        #expect(tracker.send(StepSeen()) == nil)
        tracker.reset()
        #expect(tracker.consent.value == .denied && tracker.consent.isAnswered)
        try await tracker.close()
        tracker = try await start(.required, .device)
        #expect(tracker.send(StepSeen()) == nil)
        try await tracker.setConsent(.granted)
        tracker.identify("bob")
        #expect(tracker.send(StepSeen()) != nil)
        try await tracker.close()
    }
}
