import Foundation
import Primitives
import Testing
import TrackingCore
import TrackingReplay

@testable import GitHubClient

/// Recorded and replayed sessions of the sample app.
@Suite("A recorded session")
struct SampleReplayTests {
    private let session = StubSession()
    private let recorder: ActionRecorder
    private let log = InMemoryEventStore(installID: "0A000000-0000-4000-8000-000000000000")
    private let app: HeadlessApp
    private let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sample-\(UUID().uuidString).jsonl").path
        recorder = try ActionRecorder(path: path, app: "GitHubClient 1.0")
        let base = try TrackingEnvironment<GitHubRoute>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: SystemTrackingClock(), timer: ContinuousClock(),
            ids: RandomTrackingIDs(), sinks: [], flushPolicy: .manual, context: nil, recording: recorder.environment(),
            diagnostics: { _ in })
        app = HeadlessApp(environment: GitHubEnvironment(base: base, session: session.double))
    }

    /// Plays a failed search, its retry, the next page, a row, a notification, and a late response.
    private func play() throws {
        let next = #"<https://api.github.com/x?q=flux&page=2>; rel="next""#
        app.take(.becameActive)
        app.take(.opened(.repositorySearch))
        app.take(.typed("flux"))
        app.take(.searchTapped)
        session.fail()
        app.take(.retryTapped)
        try session.answer([.flux], link: next)
        app.take(.scrolled(reachedBottom: false))
        app.take(.scrolled(reachedBottom: true))
        try session.answer([.swift])
        app.take(.rowTapped(1))
        app.take(.notification(identifier: "issue", userInfo: ["repository_id": 1, "ratio": 0.5, "read": false]))
        try session.answer(.flux)
        app.take(.typed("swift"))
        app.take(.searchTapped)
        app.take(.typed("other"))
        app.take(.searchTapped)
        try session.answer([.swift])
        session.respond(.success(HTTPResponse(status: 200, link: nil, body: [0xFF, 0xFE])))
        app.take(.enteredBackground)
        recorder.close()
    }

    private var events: [String] { log.records.map { String(decoding: $0.line, as: UTF8.self) } }

    @Test("replays to the same stores and events, including failures, retries, and late or invalid responses")
    func equal() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }  // in the system's temporary folder
        try play()
        let lines = Locked<[String]>([])
        let outcome = try HeadlessApp.replay(of: path).run { line in
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
        #expect(outcome.verdict == .equal)
        #expect(lines.withLock { $0 } == events)
        #expect(events.count == 11)
        let stores = try #require(outcome.apps.first?.stores)
        #expect(stores.map(\.name) == ["route", "tracking", "device", "repository"])
        #expect(stores[0] == ReplayedStore("route", app.environment.route.store.state))
        #expect(stores[1] == ReplayedStore("tracking", app.environment.tracking.store.state))
        #expect(stores[2] == ReplayedStore("device", app.environment.base.device.store.state))
        #expect(stores[3] == ReplayedStore("repository", app.environment.repository.store.state))
        #expect(app.environment.repository.store.state.error == "the server sent an unexpected response")
    }

    @Test(
        "reports the first differing entry if the app no longer fires search",
        arguments: [true, false])
    func missingFiringLine(isMissing: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }  // a file of the system's temporary folder
        try play()
        let replay = ActionReplay(path: path) { base in
            UnfiringApp(
                app: HeadlessApp(environment: GitHubEnvironment(base: base, session: SilentSession())),
                isUnfiring: isMissing)
        }
        let outcome = try replay.run()
        guard isMissing else {
            #expect(outcome.verdict == .equal)
            return
        }
        let entries = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
        let tap = try #require(entries.firstIndex { $0.contains(#"{"searchTapped":{}}"#) })
        guard case .diverged(let divergence) = outcome.verdict else {
            Issue.record("the replay ended with \(outcome.verdict)")
            return
        }
        // The entry after the tap is the clock reading of the missing event.
        #expect(divergence.index == Int64(tap + 1))
        #expect(divergence.expected == Array(entries[tap + 1].utf8))
        let actual = try #require(divergence.actual.map { String(decoding: $0, as: UTF8.self) })
        #expect(actual.contains(#""domain":"repository""#) && actual.hasSuffix(#""payload":{"fetching":{}}}"#))
    }
}

/// The sample app without the line that fires `search` when the search button is tapped.
private struct UnfiringApp: ReplayedApp {
    typealias Route = GitHubRoute

    let app: HeadlessApp
    let isUnfiring: Bool
    var stores: [ReplayedStore] { app.stores }

    func perform(_ input: GitHubInput) {
        guard isUnfiring, input == .searchTapped else { return app.perform(input) }
        app.environment.base.input(input) { app.environment.repository.actionCreator.search(query: "flux", page: 1) }
    }
}
