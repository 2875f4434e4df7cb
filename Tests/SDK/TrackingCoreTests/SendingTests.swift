import Dispatch
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@Suite("Sending")
struct SendingTests {
    let dependencies = TestDependencies()

    @Test("a container's line has exactly the members of the wire format, in order")
    func line() {
        let environment = dependencies.start()
        dependencies.clock.advance(by: .microseconds(351_338))
        let receipt = environment.tracking.send(.search(query: "flux", page: 1))
        #expect(receipt?.seq == 1)
        #expect(
            dependencies.lines() == [
                """
                {"v":1,"id":"0000000f-439f-7000-8000-000000000001","install_id":"install","seq":1,\
                "session_id":"00000000-0000-4000-8000-000000000002","user_id":"00000000-0000-4000-8000-000000000001",\
                "time":1000.351338,"schema":"search/1-0-0",\
                "event":{"name":"search","value":{"query":"flux","page":1}}}
                """
            ])
    }

    @Test("the state of the store has the events that were sent")
    func store() {
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        environment.tracking.send(.search(query: "a", page: 1))
        environment.tracking.send(.search(query: "b", page: 2))
        let state = environment.tracking.store.state
        #expect(state.counts == ["launch": 1, "search": 2])
        #expect(state.last?.event(as: Search.self) == Search(query: "b", page: 2))
        #expect(state.last?.event(as: Launch.self) == nil)
        #expect(state.last?.seq == 3)
    }

    @Test("events that can't be sent are dropped, counted and reported, and use no number")
    func drops() async throws {
        let environment = dependencies.start()
        let deep = (0..<16).reduce(JSONValue.null) { inner, _ in [inner] }
        environment.tracking.send(Odd(number: .nan))
        environment.tracking.send(Misnamed())
        environment.tracking.send(.notification(identifier: "deep", userInfo: ["x": deep]))
        environment.tracking.send(.search(query: String(repeating: "x", count: 32_768), page: 1))
        environment.tracking.sendNotification(identifier: "x", userInfo: [1: "a key that is no string"])
        environment.tracking.send(.notification(identifier: "x", userInfo: ["large": .integer(9_007_199_254_740_992)]))
        #expect(environment.tracking.send(Odd(number: 1))?.seq == 1)
        #expect(
            dependencies.diagnostics.withLock { $0 } == [
                "odd at 'number': a number is NaN or infinite; JSON has neither: leave it out or send null",
                "dropped odd encoding", "dropped Not-Kebab invalid-name",
                """
                notification at 'user_info.x[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]': a value is nested too deep: at \
                most 16 levels
                """, "dropped notification encoding", "dropped search too-large", "dropped notification encoding",
                """
                notification at 'user_info.large': an integer is beyond ±(2^53 − 1), where readers round it: send it as a \
                string
                """, "dropped notification encoding",
            ])
        #expect(
            try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == [
                "encoding 4", "invalid-name 1", "too-large 1",
            ])
    }

    @Test("an event whose value is not a JSON object is dropped: the container requires one")
    func scalars() {
        enum Gesture: String, TrackingEvent {
            static let name = "gesture"
            case tap
        }
        struct Path: TrackingEvent {
            static let name = "path"
            let steps: [Int]
            func encode(to encoder: any Encoder) throws {
                var steps = encoder.unkeyedContainer()
                for step in self.steps { try steps.encode(step) }
            }
        }
        let recorder = TrackingRecorder(validatingAgainst: nil)
        let tracking = TrackingEnvironment<Route>.mock(recording: recorder).tracking
        #expect(tracking.send(Gesture.tap) == nil && tracking.send(Path(steps: [1, 2])) == nil)
        #expect(recorder.log.records.isEmpty)
        recorder.expectSteps(.drop(of: "gesture", .encoding), .drop(of: "path", .encoding))
    }

    @Test("sixteen levels of nesting are fine")
    func nesting() {
        let environment = dependencies.start()
        let deep = (0..<15).reduce(JSONValue.null) { inner, _ in [inner] }
        #expect(environment.tracking.send(.notification(identifier: "deep", userInfo: ["x": deep])) != nil)
    }

    @Test("a line of exactly 32 KiB is accepted, one byte more is not")
    func lineLimit() {
        let environment = dependencies.start()
        environment.tracking.send(.search(query: "x", page: 1))
        let empty = dependencies.log.records[0].line.count - 1
        let room = TrackingContainer.maximumLineLength - empty
        #expect(environment.tracking.send(.search(query: String(repeating: "x", count: room), page: 1))?.seq == 2)
        #expect(dependencies.log.records[1].line.count == 32_768)
        #expect(environment.tracking.send(.search(query: String(repeating: "x", count: room + 1), page: 1)) == nil)
        #expect(dependencies.diagnostics.withLock { $0 } == ["dropped search too-large"])
    }

    @Test("a notification's payload is accepted as the framework passes it")
    func foundationPayload() throws {
        let environment = dependencies.start()
        environment.tracking.sendNotification(
            identifier: "x", userInfo: ["flag": true, "count": 1, "ratio": 0.5, "list": ["a", 2], "map": ["k": false]])
        let value = try JSONParser.parse(dependencies.log.records[0].line)["event"]?["value"]?["user_info"]
        #expect(value == ["flag": true, "count": 1, "ratio": 0.5, "list": ["a", 2], "map": ["k": false]])
    }

    @Test("with eight threads, the order of seq is the order of delivery, in log and dispatcher")
    func threads() {
        let environment = dependencies.start(limit: nil)
        let delivered = Locked<[Int64]>([])
        let subscription = environment.tracking.dispatcher.subscribe { container in
            delivered.withLock { $0.append(container.seq) }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for page in 1...200 { environment.tracking.send(.search(query: "\(thread)", page: page)) }
        }
        #expect(delivered.withLock { $0 } == Array(1...1600))
        #expect(dependencies.log.records.map(\.seq) == Array(1...1600))
        withExtendedLifetime(subscription) {}
    }

    @Test("an event's own encoding may send another event")
    func sendingWhileEncoding() {
        struct Nosy: TrackingEvent {
            static let name = "nosy"
            let tracking: Tracker
            func encode(to encoder: any Encoder) throws {
                tracking.send(.launch)
                var container = encoder.singleValueContainer()
                try container.encode(["inside": true])
            }
        }
        let environment = dependencies.start()
        environment.tracking.send(Nosy(tracking: environment.tracking))
        #expect(dependencies.log.records.map(\.name) == ["launch", "nosy"])
    }

    @Test("the guard stops a subscriber that sends for each event; the next second is free again")
    func runaway() async throws {
        let environment = dependencies.start(limit: SendingLimit(eventsPerSecond: 50))
        let subscription = environment.tracking.dispatcher.subscribe { _ in environment.tracking.send(.launch) }
        environment.tracking.send(.launch)
        #expect(dependencies.log.records.count == 50)
        subscription.cancel()
        #expect(
            try await dependencies.log.ledger() == [
                LedgerEntry(
                    reason: .runaway, consumer: nil, count: 1, seqs: nil, times: dependencies.now...dependencies.now)
            ])
        dependencies.clock.advance(by: .seconds(1))
        #expect(environment.tracking.send(.launch)?.seq == 51)
    }

    @Test("a closed log makes send a counted drop, not a trap")
    func closedLog() async throws {
        let environment = dependencies.start()
        try await dependencies.log.close()
        #expect(environment.tracking.send(.launch) == nil)
        #expect(dependencies.diagnostics.withLock { $0 } == ["dropped launch closed"])
    }
}
