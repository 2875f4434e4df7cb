import LogFixtures
import Testing
import TrackerFixtures
import Tracking
import TrackingCore

@Suite("Life cycle of an app extension", .timeLimit(.minutes(5)))
struct ExtensionLifeCycleTests {
    private struct Failure: Error {}

    private let sent = SentEvents()
    private let time = BackgroundTimeDouble()
    private var lifeCycle: ExtensionLifeCycle { ExtensionLifeCycle(sent.tracker, backgroundTime: time) }

    @Test("its work runs under one assertion, its events are delivered at the end, and it sends no others")
    func startAndFinish() async {
        let lifeCycle = lifeCycle
        lifeCycle.start()
        lifeCycle.start()
        #expect(time.begun == ["Working in an extension"])
        sent.tracker.send(PageView(page: "widget"))
        #expect(sent.deliveredCount == 0)
        await lifeCycle.finish()
        #expect(sent.names == ["page-view"])
        #expect(sent.deliveredCount == 1)
        #expect(time.held == [])
        lifeCycle.start()
        #expect(time.held == ["Working in an extension"])
        await lifeCycle.finish()
        #expect(time.held == [])
    }

    @Test("a closure runs between start and finish, and its result is returned")
    func run() async {
        let count = await lifeCycle.run { [sent, time] in
            sent.tracker.send(PageView(page: "share"))
            return time.held.count
        }
        #expect(count == 1)
        #expect(sent.deliveredCount == 1)
        #expect(time.held == [])
    }

    @Test("events are delivered even if the work throws")
    func failure() async {
        await #expect(throws: Failure.self) {
            try await lifeCycle.run { [sent] in
                sent.tracker.send(PageView(page: "share"))
                throw Failure()
            }
        }
        #expect(sent.deliveredCount == 1)
        #expect(time.held == [])
    }
}
