import CommandRunner
import EventLog
import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore

@testable import Tracking

private struct StepSeen: TrackingEvent, Equatable {
    static let name = "step-seen"
    let step: Int
}

/// A tracker as started by an app, with real files.
@Suite("Tracker.start", .timeLimit(.minutes(5)))
struct StartTests {
    private let folder: TemporaryFolder
    private let reports = Locked<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("app/tracking") }

    private func start(
        _ deliveries: TrackingDelivery..., storage: (any KeyValueStorage)? = nil,
        timer: any Clock<Duration> = ContinuousClock(), consent: ConsentPolicy = .assumed
    ) -> Tracker {
        let report: @Sendable (TrackingDiagnostic) -> Void = { [reports] diagnostic in
            let text: String? =
                switch diagnostic {
                case .log(let error), .storage(let error): "\(error)"
                case .sinkHalted(let sink, let reason): "\(sink): \(reason)"
                case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
                default: nil
                }
            if let text { reports.withLock { $0.append(text) } }
        }
        let configuration = TrackingConfiguration(folder: path, consent: consent) {
            $0.storage = storage
            $0.timer = timer
        }
        if deliveries.isEmpty { return .start(configuration: configuration, diagnostics: report) }
        return .start(deliveries[0], configuration: configuration, diagnostics: report)
    }

    private func lines() throws -> [JSONValue] {
        try String(decoding: folder.read("app/tracking/events.jsonl"), as: UTF8.self).split(separator: "\n")
            .map { try JSONParser.parse(Array($0.utf8)) }
    }

    @Test("events sent before the log is open get numbers in the order of the calls, and reach the file")
    func sends() async throws {
        let tracker = start()
        let receipts = (1...5).map { tracker.send(StepSeen(step: $0)) }
        let last = try #require(try await tracker.send(StepSeen(step: 6), reaching: .survivesPowerLoss))
        #expect(last.seq == 6)
        await tracker.flush()
        let lines = try lines()
        #expect(lines.map { $0["event"]?["value"]?["step"] } == (1...6).map { .integer($0) })
        #expect(lines.map { $0["seq"] } == (1...6).map { .integer($0) })
        #expect(lines.map { $0["id"]?.stringValue } == (receipts + [last]).map { $0.map { "\($0.id)" } })
        #expect(lines.allSatisfy { $0["context"]?["app"]?.stringValue?.isEmpty == false })
        #expect(reports.withLock { $0 } == [])
        try await tracker.close()
        #expect(tracker.send(StepSeen(step: 7)) == nil)
        #expect(reports.withLock { $0 } == ["dropped step-seen closed"])
    }

    @Test("a second start continues install, numbers, session and user; only the owner can read the files")
    func restarts() async throws {
        let first = start()
        first.send(StepSeen(step: 1))
        try await first.flushToDisk()
        first.identify("ada")
        first.send(StepSeen(step: 2))
        await first.flush()
        try await first.close()
        let second = start()
        second.send(StepSeen(step: 3))
        await second.flush()
        try await second.close()
        let lines = try lines()
        #expect(lines.map { $0["seq"] } == (1...3).map { .integer($0) })
        #expect(Set(lines.map { $0["install_id"] }).count == 1)
        #expect(Set(lines.map { $0["session_id"] }).count == 1)
        #expect(lines.map { $0["user_id"]?.stringValue }.suffix(2) == ["ada", "ada"])
        let modes = try ["", "/events.sqlite", "/tracking.json", "/events.jsonl"].map {
            try FileManager.default.attributesOfItem(atPath: path + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600, 0o600, 0o600])
    }

    private func startAndSend(_ storage: WatchedStorage) -> Tracker {
        storage.watched.withLock { $0 = ObjectIdentifier(Thread.current) }
        defer { storage.watched.withLock { $0 = nil } }
        let tracker = start(.logOnly, storage: storage)
        for step in 1...100 { tracker.send(StepSeen(step: step)) }
        tracker.identify("ada")
        return tracker
    }

    @Test("neither the storage nor a file is accessed on the thread that starts and sends")
    func noFiles() async throws {
        let storage = WatchedStorage()
        let tracker = startAndSend(storage)
        try await tracker.flushToDisk()
        #expect(storage.uses.withLock { $0 } > 0)
        #expect(storage.usesByWatched.withLock { $0 } == 0)
    }

    @Test("creating the folder is retried; events wait, and get their numbers when it succeeds")
    func retries() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("app"), withIntermediateDirectories: true)
        try folder.write("in the way", to: "app/tracking")
        let timer = ManualTimer()
        let tracker = start(storage: InMemoryKeyValueStorage(), timer: timer)
        let receipt = tracker.send(StepSeen(step: 1))
        #expect(receipt?.isPending == true)
        for wait in [1, 2, 4] { #expect(await timer.fire() == .seconds(wait)) }
        #expect(
            await timer.fire { _ in
                try? FileManager.default.removeItem(atPath: path)  // a failure makes the next steps fail
                tracker.send(StepSeen(step: 2))
            } == .seconds(8))
        while tracker.store.state.counts["step-seen"] != 2 { await Task.yield() }
        await tracker.flush()
        #expect(try lines().map { $0["event"]?["value"]?["step"] } == [.integer(1), .integer(2)])
        #expect(try lines().first?["id"]?.stringValue == receipt.map { "\($0.id)" })
        let reports = reports.withLock { $0 }
        #expect(
            reports.count == 1 && reports[0].contains("cannot use \(path): it is not a folder; move it away"),
            "\(reports)")
    }

    @Test(
        "a delivery that can't be set up is reported, and its events stay in the log",
        arguments: [
            (TrackingDelivery.http("collector.example.com", key: "wk_1"), "URL"),
            (.http("https://collector.example.com/v1/events", key: "wk 1"), "key"),
        ])
    func invalidDelivery(delivery: TrackingDelivery, word: String) async throws {
        let tracker = start(delivery)
        tracker.send(StepSeen(step: 1))
        await tracker.flush()
        let reports = reports.withLock { $0 }
        #expect(reports.count == 1 && reports[0].hasPrefix("http: ") && reports[0].contains(word), "\(reports)")
        #expect(!reports[0].contains("wk"))
        try await tracker.close()
        let log = try SQLiteEventStore(path: path + "/events.sqlite", options: .init(installID: { "another" }))
        #expect(try await log.statistics().count == 1)
        try await log.close()
    }

    @Test("two trackers with the same folder share install and numbers")
    func twoTrackers() async throws {
        let trackers = [start(.logOnly), start(.logOnly)]
        for step in 1...20 { trackers[step % 2].send(StepSeen(step: step)) }
        for tracker in trackers { try await tracker.flushToDisk() }
        let last = trackers.compactMap { $0.send(StepSeen(step: 21))?.seq }
        #expect(Set(last) == [21, 22])
        for tracker in trackers { try await tracker.close() }
    }

    @Test("with required consent, nothing is delivered before the user agrees")
    func consent() async throws {
        let tracker = start(consent: .required)
        tracker.send(StepSeen(step: 1))
        await tracker.flush()
        #expect(!FileManager.default.fileExists(atPath: path + "/events.jsonl"))
        try await tracker.setConsent(.granted)
        await tracker.flush()
        #expect(try lines().count == 1)
    }

    @Test("an environment made with a tracker has its log, its device and its receipts")
    func environment() async throws {
        enum Route: RouteCommand { case home }
        let tracker = start()
        let environment = TrackingEnvironment<Route>(tracker)
        environment.tracking.send(StepSeen(step: 1))
        try await tracker.flushToDisk()
        environment.show(.home)
        #expect(environment.route.store.state.command == .home)
        #expect(environment.tracking.send(StepSeen(step: 2))?.seq == 2)
        #expect(tracker.send(StepSeen(step: 3))?.seq == 3)
        #expect(environment.device.store.state.deviceID.count == 36)
        await environment.tracking.flush()
        #expect(try lines().map { $0["user_id"]?.stringValue }.last == environment.device.store.state.deviceID)
    }

    @Test("a tracker that stores nothing always returns nil")
    func noop() async throws {
        let tracker = Tracker.noop
        #expect(tracker.send(StepSeen(step: 1)) == nil)
        #expect(tracker.identify("ada"))
        tracker.reset()
        await tracker.flush()
        try await tracker.setConsent(.denied)
        try await tracker.setConsent(.granted)
        #expect(try await tracker.send(StepSeen(step: 1), reaching: .survivesPowerLoss) == nil)
    }

    @Test(
        "the default folder is the user's XDG data folder",
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/ada"], "/data"),
            (["XDG_DATA_HOME": "data", "HOME": "/home/ada"], "/home/ada/.local/share"),
            (["XDG_DATA_HOME": "", "HOME": "/"], "/.local/share"), (["HOME": "ada"], nil), ([:], nil),
        ])
    func defaultFolder(environment: [String: String], folder: String?) {
        #expect((try? TrackingFolder.dataFolder(of: environment)) == folder)
    }

    @Test("a relative folder is in the working directory")
    func relativeFolder() throws {
        let name = ".tracking-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: name) }  // contains nothing else
        #expect(try TrackingFolder(path: name).make() == name)
        #expect(FileManager.default.fileExists(atPath: name))
    }

    @Test("the context has app and system, with at most 128 characters each")
    func context() throws {
        let context = TrackingContext.system
        #expect(context.app?.isEmpty == false)
        #expect(context.os?.contains(/^\w+ \d+\.\d+$/) == true)
        let info: [String: Any] = [
            "CFBundleName": "Shop", "CFBundleShortVersionString": "1.2", "CFBundleVersion": "34",
        ]
        #expect(TrackingContext.name(of: info) == "Shop 1.2 (34)")
        #expect(TrackingContext.name(of: ["CFBundleName": "Shop"]) == "Shop")
        #expect(TrackingContext.name(of: ["CFBundleVersion": "34"]) == nil)
        let long = TrackingContext.name(of: ["CFBundleName": String(repeating: "é", count: 200)])
        #expect(long?.unicodeScalars.count == 128)
    }
}

/// Storage that detects use on a forbidden thread.
private final class WatchedStorage: KeyValueStorage {
    let watched = Locked<ObjectIdentifier?>(nil)
    let uses = Locked(0)
    let usesByWatched = Locked(0)
    private let next = InMemoryKeyValueStorage()

    private func note() {
        uses.withLock { $0 += 1 }
        if watched.withLock({ $0 == ObjectIdentifier(Thread.current) }) { usesByWatched.withLock { $0 += 1 } }
    }

    func string(forKey key: String) throws -> String? {
        note()
        return next.string(forKey: key)
    }

    func set(_ value: String?, forKey key: String) throws {
        note()
        next.set(value, forKey: key)
    }
}
