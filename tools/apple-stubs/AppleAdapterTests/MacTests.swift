import AppKit
import Foundation
import Testing
import TrackerFixtures
import Tracking
import TrackingCore
import os

@Suite("AppKit and the system's log", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct MacTests {
    @Test("notifications of a Mac app send launch and background, and termination sends none twice")
    func lifeCycle() {
        let sent = SentEvents()
        let center = NotificationCenter()
        let subscription = sent.tracker.followMacAppLifeCycle(of: center)
        center.post(name: NSApplication.didBecomeActiveNotification, object: nil)
        center.post(name: NSApplication.didResignActiveNotification, object: nil)
        center.post(name: NSApplication.willTerminateNotification, object: nil)
        #expect(sent.names == ["launch", "background"])
        center.post(name: NSApplication.didBecomeActiveNotification, object: nil)
        center.post(name: NSApplication.willTerminateNotification, object: nil)
        #expect(sent.names == ["launch", "background", "launch", "background"])
        subscription.cancel()
        center.post(name: NSApplication.didBecomeActiveNotification, object: nil)
        #expect(sent.names.count == 4)
    }

    @Test("diagnostics go to the unified log, readable")
    func diagnostics() {
        SystemDiagnostics.report(.dropped(eventName: "search", reason: .encoding))
        #expect(Logger.lines == ["swift-tracking diagnostics: dropped event search: encoding"])
    }
}
