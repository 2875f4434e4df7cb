import EventLog
import EventModel
import Foundation
import GRDB
import Primitives
import TrackingCore
import TrackingDomainEvents

/// A day without a network, and an hour of a server that sends Retry-After, in virtual time with a real log.
///
/// The app is restarted every six hours, and a second before the server recovers: the pause must still apply then.
final class Outage {
    private enum Screen: RouteCommand {}

    /// The calls of a sink.
    private final class Server: Sink {
        struct State {
            var calls: [Duration] = []
            var delivered: Int64 = 0
            var highest: Int64 = 0
            var misordered: Int64 = 0
        }

        let name = "server"
        let time: VirtualTime
        let offline: Duration
        let overloaded: Duration
        private let state = Locked(State())

        init(time: VirtualTime, offline: Duration, overloaded: Duration) {
            (self.time, self.offline, self.overloaded) = (time, offline, overloaded)
        }

        var content: State { state.withLock { $0 } }

        func deliver(_ batch: EventBatch) async -> DeliveryResult {
            state.withLock { state in
                state.calls.append(time.elapsed)
                if time.elapsed < offline { return .retry(after: nil, reason: "no network") }
                if time.elapsed < offline + overloaded {
                    return .retry(after: Outage.retryAfter, reason: "503, Retry-After: 300")
                }
                for record in batch.records {
                    if record.seq <= state.highest { state.misordered += 1 }
                    state.highest = max(state.highest, record.seq)
                    state.delivered += 1
                }
                return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
            }
        }
    }

    static let pauseBetweenFlushes = Duration.seconds(30)
    private static let eventsPerSecond = 10
    private static let retryAfter = Duration.seconds(300)

    let title: String
    let path: String
    let retention: Retention
    let offline: Duration
    let overloaded = Duration.seconds(3600)
    private let time = VirtualTime(EventTime(seconds: 1_767_225_600))
    private let server: Server
    private let storage = InMemoryKeyValueStorage()
    private var log: SQLiteEventStore
    private var environment: TrackingEnvironment<Screen>?
    private var sent: Int64 = 0

    init(title: String, folder: String, retention: Retention, offline: Duration) throws {
        (self.title, self.retention, self.offline) = (title, retention, offline)
        path = folder + "/events.sqlite"
        server = Server(time: time, offline: offline, overloaded: overloaded)
        log = try Self.open(path, retention)
        try start()
    }

    private static func open(_ path: String, _ retention: Retention) throws -> SQLiteEventStore {
        try SQLiteEventStore(path: path, options: .init(installID: { UUID().uuidString }, retention: retention))
    }

    private func start() throws {
        environment = try .live(
            log: log, storage: storage, clock: time, timer: time.timer, ids: RandomTrackingIDs(), sinks: [server],
            flushPolicy: FlushPolicy(interval: Self.pauseBetweenFlushes),
            context: TrackingContext(app: "crash-harness 1.0", os: nil), diagnostics: { _ in })
    }

    private func restart() async throws {
        environment = nil
        try await log.close()
        log = try Self.open(path, retention)
        try start()
    }

    func run(_ findings: inout Findings) async throws -> [(String, String)] {
        let end = offline + overloaded
        let restarts = Set(
            stride(from: 6, to: Int(end.components.seconds) / 3600, by: 6).map { Duration.seconds($0 * 3600) }
        )
        .union([end - .seconds(1)])
        await settle()
        var moment = Duration.zero
        while moment < end {
            moment += .milliseconds(1000 / Self.eventsPerSecond)
            if time.pass(to: moment) { await settle() }
            if environment?.tracking.send(.search(query: "swift event tracking", page: 3)) != nil { sent += 1 }
            if restarts.contains(moment) {
                try await restart()
                await settle()
            }
        }
        // No call of flush: the event is delivered when it is due.
        for _ in 0..<1000 where server.content.delivered == 0 || server.content.highest < sent {
            guard let next = time.next else { break }
            _ = time.pass(to: next)
            await settle()
        }
        environment = nil
        try await log.close()
        return try compare(&findings)
    }

    /// Waits until all work is finished that virtual time does not control.
    private func settle() async {
        var (calls, sleeps, quiet) = (-1, -1, 0)
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, quiet < 8 || time.sleeping == 0 {
            let (callsNow, sleepsNow) = (server.content.calls.count, time.sleeps)
            quiet = callsNow == calls && sleepsNow == sleeps ? quiet + 1 : 0
            (calls, sleeps) = (callsNow, sleepsNow)
            try? await Task.sleep(for: .microseconds(250))  // not cancelled
        }
    }

    private func compare(_ findings: inout Findings) throws -> [(String, String)] {
        let server = server.content
        let whileOffline = server.calls.count { $0 < offline }
        let whileOverloaded = server.calls.count { $0 >= offline && $0 < offline + overloaded }
        // 240 per day: waits of 7.5 minutes on average, after some shorter waits.
        let allowed = 20 + Int(offline.components.seconds) * 220 / 86_400
        if whileOffline > allowed { findings.add(.tooManyCalls, "\(title): \(whileOffline) while offline") }
        if whileOverloaded > 13 { findings.add(.tooManyCalls, "\(title): \(whileOverloaded) in the hour of 503") }
        let rejected = server.calls.dropFirst(whileOffline).prefix(whileOverloaded + 1)
        if let least = zip(rejected, rejected.dropFirst()).map({ $1 - $0 }).min(), least < Self.retryAfter {
            findings.add(.tooManyCalls, "\(title): a call \(least) after a response with Retry-After: 300")
        }
        if server.calls.isEmpty { findings.add(.failed, "\(title): the server received no request") }
        if server.misordered > 0 { findings.add(.sinkDoubled, "\(title): \(server.misordered) events") }
        let counted = try dropped()
        if server.delivered + counted != sent {
            findings.add(.sinkLost, "\(title): \(sent) sent, \(server.delivered) delivered, \(counted) in the ledger")
        }
        if retention == .keepAll, counted > 0 { findings.add(.lost, "\(title): \(counted) in the ledger") }
        return [
            ("\(title): sent", "\(sent)"),
            ("\(title): delivered", "\(server.delivered)"),
            ("\(title): in the ledger", "\(counted)"),
            ("\(title): calls while offline", "\(whileOffline), of \(allowed) allowed"),
            ("\(title): calls in the hour of 503", "\(whileOverloaded), of 13 allowed"),
            ("\(title): calls afterwards", "\(server.calls.count - whileOffline - whileOverloaded)"),
        ]
    }

    private func dropped() throws -> Int64 {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            try Int64.fetchOne(db, sql: "SELECT ifnull(sum(count), 0) FROM ledger") ?? 0
        }
    }
}
