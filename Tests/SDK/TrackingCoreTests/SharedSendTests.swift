import Dispatch
import Foundation
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents

/// State that a send keeps for the next event must not be observable.
@Suite("State shared between sends")
struct SharedSendTests {
    private struct First: TrackingEvent {
        static let name = "twin"
        static let carriesValue = false
    }

    private struct Second: TrackingEvent {
        static let name = "twin"
        static let schemaVersion = SchemaVersion(2, 0, 0)
        var number: Int
    }

    private struct Future: TrackingEvent {
        static let name = "future"
        static let schemaVersion = SchemaVersion(0, 0, 0)
    }

    private struct Nesting: TrackingEvent {
        static let name = "nesting"
        let depth: Int
        let tracking: Tracker
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if depth > 0 { tracking.send(Nesting(depth: depth - 1, tracking: tracking)) }
            try container.encode(["depth": depth])
            tracking.send(.search(query: "after", page: depth + 1))
        }
    }

    private final class Farewell: Sendable {
        let tracking: Tracker
        init(_ tracking: Tracker) { self.tracking = tracking }
        deinit { tracking.send(First()) }
    }

    private struct Leaving: TrackingEvent {
        static let name = "leaving"
        static let carriesValue = false
        let farewell: Farewell
        func encode(to encoder: any Encoder) throws {}
    }

    let dependencies = TestDependencies()

    @Test("an event may send another event when it is released")
    func farewell() {
        let tracking = dependencies.start().tracking
        let names = Locked<[String]>([])
        // Sends another event during the delivery: the store has another last event then.
        let subscription = tracking.dispatcher.subscribe { container in
            names.withLock { $0.append(container.name) }
            if container.name == "leaving" { tracking.send(First()) }
        }
        tracking.send(Leaving(farewell: Farewell(tracking)))
        tracking.send(First())
        #expect(names.withLock { $0 } == ["leaving", "twin", "twin", "twin"])
        #expect(tracking.store.state.last?.seq == 4)
        #expect(tracking.store.state.counts == ["leaving": 1, "twin": 3])
        withExtendedLifetime(subscription) {}
    }

    @Test("a kept container does not change when later events are sent")
    func kept() {
        let tracking = dependencies.start().tracking
        let containers = Locked<[TrackingContainer]>([])
        let subscription = tracking.dispatcher.subscribe { container in containers.withLock { $0.append(container) } }
        tracking.send(Second(number: 1))
        tracking.send(.search(query: "a text that is longer than fifteen bytes", page: 2))
        let first = tracking.store.state.last
        tracking.identify("grace")
        tracking.send(Second(number: 3))
        #expect(first?.seq == 2)
        #expect(containers.withLock { $0.map(\.seq) } == [1, 2, 3])
        let users = containers.withLock { $0.map(\.userID) }
        #expect(users[0] == users[1] && users[1] != users[2] && users[2] == "grace")
        #expect(tracking.store.state.last?.userID == "grace")
        let lines = containers.withLock { $0 }.compactMap { try? String(decoding: $0.line(), as: UTF8.self) }
        #expect(lines == dependencies.lines().map { String($0) })
        withExtendedLifetime(subscription) {}
    }

    private func ends() -> [String] {
        dependencies.lines().map { line in line.split(separator: "\"event\":").last.map { String($0) } ?? "" }
    }

    @Test("alternating types keep their own schema, and types with the same name are counted together")
    func kinds() {
        let environment = dependencies.start()
        for number in 1...2 {
            environment.tracking.send(First())
            environment.tracking.send(Second(number: number))
            environment.tracking.send(Future())
        }
        #expect(environment.tracking.store.state.counts == ["twin": 4])
        #expect(
            ends() == [
                #"{"name":"twin"}}"#, #"{"name":"twin","value":{"number":1}}}"#, #"{"name":"twin"}}"#,
                #"{"name":"twin","value":{"number":2}}}"#,
            ])
        let schemas = dependencies.lines().map { $0.contains("\"twin/2-0-0\"") }
        #expect(schemas == [false, true, false, true])
        #expect(
            dependencies.diagnostics.withLock { $0 } == ["dropped future invalid-name", "dropped future invalid-name"])
    }

    @Test("events sent during the encoding of others don't mix up bytes")
    func nesting() {
        let environment = dependencies.start()
        environment.tracking.send(Nesting(depth: 3, tracking: environment.tracking))
        #expect(
            ends()
                == (0...3).flatMap { depth in
                    [
                        #"{"name":"search","value":{"query":"after","page":\#(depth + 1)}}}"#,
                        #"{"name":"nesting","value":{"depth":\#(depth)}}}"#,
                    ]
                })
    }

    @Test("lines are complete after an oversized event, an unencodable one, and a subscriber that sends")
    func reuse() {
        let environment = dependencies.start()
        let subscription = environment.tracking.dispatcher.subscribe { container in
            if container.event(as: Launch.self) != nil {
                environment.tracking.send(PageView(page: "from a subscriber"))
            }
        }
        environment.tracking.send(.search(query: String(repeating: "x", count: 32_768), page: 1))
        environment.tracking.send(Odd(number: .infinity))
        environment.tracking.send(.launch)
        environment.tracking.send(.search(query: String(repeating: "y", count: 20_000), page: 1))
        environment.tracking.send(.search(query: "z", page: 2))
        #expect(
            ends() == [
                #"{"name":"launch"}}"#, #"{"name":"page-view","value":{"page":"from a subscriber"}}}"#,
                #"{"name":"search","value":{"query":"\#(String(repeating: "y", count: 20_000))","page":1}}}"#,
                #"{"name":"search","value":{"query":"z","page":2}}}"#,
            ])
        withExtendedLifetime(subscription) {}
    }

    @Test("user, session and opt-out take effect with the next event on any thread")
    func changes() throws {
        let environment = dependencies.start(limit: nil)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for page in 1...100 {
                if page % 10 == thread { environment.tracking.identify("user \(thread)") }
                environment.tracking.send(.search(query: "\(thread)", page: page))
            }
        }
        environment.tracking.identify("last")
        environment.tracking.send(.launch)
        environment.tracking.reset()
        environment.tracking.send(.launch)
        let (users, sessions) = try (dependencies.strings("user_id"), dependencies.strings("session_id"))
        #expect(users.count == 802)
        #expect(users[800] == "last")
        #expect(users[801] != "last")
        // Another user starts another session, except the first one, who is the anonymous person.
        for (index, user) in users.enumerated().dropFirst()
        where user != users[index - 1] && users[index - 1] != users[0] {
            #expect(sessions[index] != sessions[index - 1])
        }
        #expect(sessions[801] != sessions[800])
    }

    @Test("an opt-out or opt-in in one environment takes effect with the next event of another")
    func consent() async throws {
        let (first, second) = (dependencies.start(), dependencies.start())
        for page in 1...2 { #expect(first.tracking.send(.search(query: "in", page: page)) != nil) }
        try await second.tracking.setConsent(.denied)
        #expect(first.tracking.send(.search(query: "out", page: 1)) == nil)
        try await second.tracking.setConsent(.granted)
        #expect(first.tracking.send(.search(query: "in again", page: 1)) != nil)
    }

    @Test("when a log adopts another install's identity, the next event has it")
    func adoptedInstall() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = try SQLiteEventStore(
            path: folder.appendingPathComponent("events.sqlite").path, options: .init(installID: { "own" }))
        let environment = try TrackingEnvironment<Route>.live(
            log: log, storage: dependencies.storage, clock: dependencies.clock, timer: ContinuousClock(),
            ids: dependencies.ids,
            sinks: [], flushPolicy: .manual, context: nil, diagnostics: { _ in })
        let known = EventRecord(
            seq: 3, id: EventID(high: 1, low: 2), time: dependencies.now, name: "launch", line: Array("{}".utf8))
        _ = try await log.replay([RecordedEvent(record: known, installID: "other") { _, _ in [] }])
        #expect(environment.tracking.send(.launch)?.seq == 4)
        let line = try #require(log.newest?.line)
        #expect(try RecordedContainer(line: line).installID == "other")
        try await log.close()
    }

    @Test("the guard counts exactly, from eight threads too")
    func limit() {
        let environment = dependencies.start(limit: SendingLimit(eventsPerSecond: 100))
        let taken = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 where environment.tracking.send(.launch) != nil { taken.withLock { $0 += 1 } }
        }
        #expect(taken.withLock { $0 } == 100)
    }
}
