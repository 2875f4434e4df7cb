import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@Suite("Waiting for an event")
struct WaitingTests {
    private let app = TestedApp()

    @Test("of a task that the test can't access")
    func unseenTask() async throws {
        let tracking = app.tracking
        Task.detached { tracking.send(.search(query: "flux", page: 1)) }
        try await app.recorder.waitUntilFired(.any(Search.self))
        app.recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("works in @MainActor tests; other events do not end it")
    @MainActor
    func mainActor() async throws {
        let (tracking, recorder) = (app.tracking, app.recorder)
        let ended = StateRecorder<String>()
        let wait = Task {
            try await recorder.waitUntilFired(.any(Search.self, \.page, is: 2))
            ended.record("ended")
        }
        for page in [1, 3] { tracking.send(.search(query: "flux", page: page)) }
        await Task.yield()
        #expect(ended.values.isEmpty)
        tracking.send(.search(query: "flux", page: 2))
        try await wait.value
        recorder.expectCount(3, of: .any(Search.self))
    }

    @Test("ends immediately if the event has fired and is unasserted")
    func before() async throws {
        app.tracking.send(.launch)
        try await app.recorder.waitUntilFired(.event(.launch))
        app.recorder.expect(.launch)
        let (tracking, recorder) = (app.tracking, app.recorder)
        let wait = Task { try await recorder.waitUntilFired(.event(.launch)) }
        tracking.send(.background)
        tracking.send(.launch)
        try await wait.value
        recorder.expect(.background, .launch)
    }

    @Test("fails the test when canceled, and names the event")
    func cancelled() async throws {
        let recorder = app.recorder
        nonisolated(unsafe) var texts: [String] = []
        await withKnownIssue {
            let wait = Task { try await recorder.waitUntilFired(.any(Search.self, \.page, is: 2)) }
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
        } matching: { issue in
            texts += issue.comments.map(\.rawValue)
            return true
        }
        #expect(texts == ["the test was canceled while waiting for any search with page 2"])
    }

    @Test("ends at a limit, and names the event; has no effect if the event fires in time")
    func limit() async throws {
        let recorder = app.recorder
        nonisolated(unsafe) var texts: [String] = []
        await withKnownIssue {
            await #expect(throws: CancellationError.self) {
                try await recorder.waitUntilFired(.search(query: "flux", page: 1), within: .milliseconds(1))
            }
        } matching: { issue in
            texts += issue.comments.map(\.rawValue)
            return true
        }
        #expect(
            texts == [
                #"{"name":"search","value":{"query":"flux","page":1}} did not fire within 0.001 seconds"#
            ])
        let tracking = app.tracking
        Task.detached { tracking.send(.launch) }
        try await recorder.waitUntilFired(.launch, within: .seconds(60))
        recorder.expect(.launch)
    }
}
