import AppleFoundation
import Foundation
import JSONLines
import SwiftUI
import Synchronization
import Testing
import TrackingTesting
import UIKit

@testable import EventLog
@testable import TrackingCore

/// The code for Apple systems, on stand-ins for Apple's modules. Does not compile if it was left out of the build.
@Suite("Adapters to Apple systems", .serialized, .timeLimit(.minutes(1)))
struct AppleAdapterTests {
    private let process = StubbedProcess.shared

    /// Counts what it is told.
    private final class Counter: Sendable {
        private let value = Atomic(0)
        var count: Int { value.load(ordering: .sequentiallyConsistent) }
        func add() { value.add(1, ordering: .sequentiallyConsistent) }
    }

    private func awaitBlocks(_ count: Int) async { while process.runningBlocks != count { await Task.yield() } }

    @Test("an expiring activity lasts until it is ended, and tells once when its time is over")
    func expiringActivity() async throws {
        process.isGranting = true
        let expiries = Counter()
        let assertion = try #require(SystemBackgroundTime().begin("moving") { expiries.add() })
        #expect(process.reasons.last == "moving")
        #expect(process.runningBlocks == 1)
        #expect(expiries.count == 0)
        process.expire()
        #expect(expiries.count == 1)
        #expect(process.runningBlocks == 1)
        assertion.end()
        assertion.end()
        await awaitBlocks(0)
    }

    @Test("an expiring activity that gets no time is none")
    func refusedActivity() async {
        process.isGranting = false
        defer { process.isGranting = true }
        let expiries = Counter()
        #expect(SystemBackgroundTime().begin("moving") { expiries.add() } == nil)
        await awaitBlocks(0)
        #expect(expiries.count == 0)
    }

    @Test("a Mac's activity ends once")
    func macActivity() {
        let activity = ProcessActivity("moving")
        #expect(process.activities == 1)
        activity.end()
        activity.end()
        #expect(process.activities == 0)
    }

    @Test("a background task of UIKit ends once, and tells when its time is over")
    @MainActor
    func backgroundTask() throws {
        let application = UIApplication()
        let time = UIApplicationBackgroundTime(application)
        let expiries = Counter()
        let assertion = try #require(time.begin("moving") { expiries.add() })
        #expect(application.tasks.withLock { $0.values.map(\.name) } == ["moving"])
        for handler in application.tasks.withLock({ $0.values.map(\.handler) }) { handler?() }
        #expect(expiries.count == 1)
        assertion.end()
        #expect(application.tasks.withLock { $0.isEmpty })
        assertion.end()
        application.next.withLock { $0 = -1 }
        #expect(time.begin("moving") {} == nil)
    }

    @Test("the app's life cycle sends launch and background, until it is not followed any more")
    @MainActor
    func lifeCycle() {
        let recorder = SentNames()
        let center = NotificationCenter()
        let subscription = recorder.tracking.followAppLifeCycle(of: center)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(recorder.names == ["launch", "background"])
        subscription.cancel()
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(recorder.names == ["launch", "background"])
    }

    @Test("a scene's phases send launch and background")
    @MainActor
    func scenePhases() {
        let recorder = SentNames()
        for phase in [ScenePhase.active, .inactive, .background] {
            _ = EmptyView().trackingScenePhase(phase, with: recorder.tracking)
        }
        #expect(recorder.names == ["launch", "background"])
    }

    @Test("defaults keep strings under a prefix")
    func userDefaults() throws {
        let name = "apple-adapter-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let storage = UserDefaultsStorage(defaults)
        storage.set("1", forKey: "user_id")
        #expect(defaults.string(forKey: "tracking.user_id") == "1")
        #expect(storage.string(forKey: "user_id") == "1")
        storage.set(nil, forKey: "user_id")
        #expect(storage.string(forKey: "user_id") == nil)
    }
}

/// An environment whose events are looked at by name.
private struct SentNames {
    private enum Route: RouteCommand { case home }

    private let environment: TrackingEnvironment<Route>
    private let log = InMemoryEventStore(installID: "install")

    var tracking: Tracker { environment.tracking }
    var names: [String] { log.records.map(\.name) }

    init() {
        let clock = ManualTrackingClock(EventTime(seconds: 1000))
        do {
            environment = try .live(
                log: log, storage: InMemoryKeyValueStorage(), clock: clock, timer: ContinuousClock(),
                ids: SequentialTrackingIDs(), sinks: [], flushPolicy: .manual, context: nil, diagnostics: { _ in })
        } catch { preconditionFailure("without sinks there is no conflict: \(error)") }
    }
}
