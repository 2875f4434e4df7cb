import AppleFoundation
import EventLog
import Foundation
import Primitives
import Testing
import TrackerFixtures
import TrackingCore
import UIKit

@testable import EventLog
@testable import Tracking

/// Tests the code for Apple platforms with stubs of Apple's modules. Does not compile if that code is not part of the build.
@Suite("Background time of Apple systems", .serialized, .timeLimit(.minutes(1)))
struct BackgroundTimeTests {
    private let process = StubbedProcess.shared

    private func awaitEnd(of reason: String) async {
        while process.runningBlocks(reason) > 0 { await Task.yield() }
    }

    @Test("an expiring activity lasts until it is ended, and reports once when its time is over")
    func expiringActivity() async throws {
        process.isGranting = true
        let expiries = Counts()
        let assertion = try #require(SystemBackgroundTime().begin("moving") { expiries.add() })
        #expect(process.reasons.contains("moving"))
        #expect(process.runningBlocks("moving") == 1)
        #expect(expiries.all == [])
        process.expire("moving")
        #expect(expiries.all == [1])
        #expect(process.runningBlocks("moving") == 1)
        assertion.end()
        assertion.end()
        await awaitEnd(of: "moving")
    }

    @Test("an expiring activity that gets no time is none")
    func refusedActivity() async {
        process.isGranting = false
        defer { process.isGranting = true }
        let expiries = Counts()
        #expect(SystemBackgroundTime().begin("refused") { expiries.add() } == nil)
        await awaitEnd(of: "refused")
        #expect(expiries.all == [])
    }

    @Test("an app extension works under an expiring activity until its events are delivered")
    func appExtension() async {
        process.isGranting = true
        let sent = SentEvents()
        let lifeCycle = ExtensionLifeCycle(sent.tracker)
        lifeCycle.start()
        #expect(process.runningBlocks("Working in an extension") == 1)
        sent.tracker.send(PageView(page: "share"))
        await lifeCycle.finish()
        #expect(sent.deliveredCount == 1)
        await awaitEnd(of: "Working in an extension")
    }

    @Test("a Mac's activity ends once")
    func macActivity() {
        let activity = ProcessActivity("moving")
        #expect(process.activities == 1)
        activity.end()
        activity.end()
        #expect(process.activities == 0)
    }

    @Test("a background task of UIKit ends once, and reports when its time is over")
    @MainActor
    func backgroundTask() throws {
        let application = UIApplication()
        let time = UIApplicationBackgroundTime(application)
        let expiries = Counts()
        let assertion = try #require(time.begin("moving") { expiries.add() })
        #expect(application.taskNames == ["moving"])
        application.expireTasks()
        #expect(expiries.all == [1])
        assertion.end()
        #expect(application.runningTasks == 0)
        assertion.end()
        application.isGranting = false
        #expect(time.begin("moving") {} == nil)
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

/// The numbers added by callbacks, in order.
final class Counts: Sendable {
    private let numbers = Locked<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int = 1) { numbers.withLock { $0.append(number) } }
}

/// The pages of a sample plan.
enum Page: String, TrackingPage {
    case basket, checkout

    var name: String { rawValue }
    var additional: String? { nil }
}
