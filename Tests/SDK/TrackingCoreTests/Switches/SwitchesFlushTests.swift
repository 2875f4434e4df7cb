import LogFixtures
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// The flush policy of a document.
@Suite("The flush policy of remote switches", .timeLimit(.minutes(5)))
struct SwitchesFlushTests {
    private final class Deliveries: Sendable {
        let sink: RecordingSink
        private let stream: AsyncStream<[Int64]>

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: [Int64].self)
            self.stream = stream
            sink = RecordingSink("sink") { batch in
                continuation.yield(batch.records.map(\.seq))
                return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
            }
        }

        func next() async -> [Int64]? { await stream.first { _ in true } }
    }

    private let deliveries = Deliveries()
    private let timer = ManualTimer()
    private let dependencies = TestDependencies()

    private func start(_ flush: String, policy: FlushPolicy, expires: Int = 5000) -> SwitchedApp {
        SwitchedApp(
            SourceDouble(Signed.text(1, expires: expires, #""flush":\#(flush)"#), isLocal: true), trust: .unsigned,
            on: dependencies, sinks: [deliveries.sink], policy: policy, timer: timer)
    }

    private func send(_ count: Int, _ app: SwitchedApp) {
        for page in 1...count { app.tracker.send(Search(query: "x", page: page)) }
    }

    @Test("the event count replaces the app's until the expiry")
    func eventCount() async {
        let app = start(#"{"event_count":10}"#, policy: FlushPolicy(eventCount: 3), expires: 1100)
        await app.settle()
        send(9, app)
        #expect(deliveries.sink.delivered == [])
        send(1, app)
        #expect(await deliveries.next() == Array(1...10))
        await app.tracker.flush()
        dependencies.clock.advance(by: .seconds(100))
        send(3, app)
        #expect(await deliveries.next() == [11, 12, 13])
    }

    @Test("the interval replaces the app's, and ends with the document")
    func interval() async {
        let app = start(#"{"interval":60}"#, policy: FlushPolicy(interval: .seconds(30)), expires: 1090)
        await app.settle()
        // The app's own timer was replaced before it could start, or its first sleep ends without a flush.
        var first = await dependencies.pass(timer)
        if first == .seconds(30) {
            dependencies.clock.advance(by: .seconds(-30))
            first = await dependencies.pass(timer)
        }
        #expect(first == .seconds(60))
        // 30 seconds until the document expires. The timer sleeps again once the flush has ended.
        let rest = await timer.fire { wait in
            send(2, app)
            dependencies.clock.advance(by: wait)
        }
        #expect(rest == .seconds(30))
        #expect(deliveries.sink.delivered == [])
        #expect(await dependencies.pass(timer) == .seconds(30))
        #expect(await deliveries.next() == [1, 2])
        #expect(await dependencies.pass(timer) == .seconds(30))
    }

    @Test("an interval can be added to a policy without one, and ends with the document")
    func addedInterval() async {
        let app = start(#"{"interval":60}"#, policy: .manual, expires: 1090)
        await app.settle()
        send(2, app)
        #expect(await dependencies.pass(timer) == .seconds(60))
        #expect(await deliveries.next() == [1, 2])
        send(2, app)
        #expect(await dependencies.pass(timer) == .seconds(30))
        send(1, app)
        await app.settle()
        #expect(deliveries.sink.delivered == [[1, 2], [3, 4, 5]])
    }

    @Test("a document turns the flush on background off and on")
    func onBackground() async {
        let app = start(#"{"on_background":false}"#, policy: FlushPolicy(onBackground: true), expires: 1100)
        await app.settle()
        app.tracker.send(.background)
        app.tracker.send(.launch)
        dependencies.clock.advance(by: .seconds(100))
        app.tracker.send(.launch)
        #expect(deliveries.sink.delivered == [])
        app.tracker.send(.background)
        #expect(await deliveries.next() == [1, 2, 3, 4])
    }
}
