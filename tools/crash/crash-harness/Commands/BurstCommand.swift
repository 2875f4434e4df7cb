import ArgumentParser
import EventLog
import EventModel
import Foundation
import GRDB
import Primitives
import TrackingCore
import TrackingDomainEvents

/// `burst`: sends faster than the database stores, and compares the counts of accepted, stored and dropped events.
struct BurstCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst", abstract: "Send faster than the database stores, and compare the stored events.")

    @OptionGroup var options: HarnessOptions

    func run() async throws {
        try await options.run("burst") { workspace, _, findings in
            var bursts: [BurstLog] = []
            for (index, burst) in (options.short ? BurstCase.short : BurstCase.complete).enumerated() {
                bursts.append(try await burst.run(in: try workspace.makeFolder("log-\(index)"), &findings))
            }
            // The journals shrink at the same time.
            var rows: [(String, String)] = []
            for burst in bursts { rows += try await burst.finish(&findings) }
            return rows
        }
    }
}

/// The log of a burst whose journal has yet to shrink.
struct BurstLog {
    /// The maximum time in which a journal shrinks.
    private static let timeToShrink = Duration.seconds(10)

    let title: String
    let folder: String
    let log: SQLiteEventStore
    let rows: [(String, String)]
    /// When all events of the burst were stored.
    let end = ContinuousClock.now

    /// Waits until the journal has shrunk, and closes the log.
    func finish(_ findings: inout Findings) async throws -> [(String, String)] {
        var rings = try countRings()
        while rings > 2, ContinuousClock.now - end < Self.timeToShrink {
            try await Task.sleep(for: .milliseconds(50))
            rings = try countRings()
        }
        if rings > 2 { findings.add(.failed, "\(title): \(rings) rings 10 s after") }
        let seconds = (ContinuousClock.now - end) / .seconds(1)
        try await log.close()
        return rows + [("  rings after \(String(format: "%.1f", seconds)) s", "\(rings)")]
    }

    private func countRings() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/events.sqlite.journal")
            .count { $0.hasPrefix("writer-") }
    }
}

/// A burst into an empty log.
struct BurstCase {
    enum Screen: RouteCommand {}

    let title: String
    let count: Int
    /// The maximum size of the journal, in bytes.
    let limit: Int
    /// Whether the limit is too small for the burst.
    let mayDrop: Bool
    /// Events per second; nil for as fast as a thread can.
    var perSecond: Int?
    /// Whether the database is locked until the first event is dropped, so that events are dropped on every machine.
    var locksUntilDrop = false

    static let complete = [
        BurstCase(title: "100,000 in a loop", count: 100_000, limit: 64 << 20, mayDrop: false),
        BurstCase(title: "1,000,000 in a loop", count: 1_000_000, limit: 64 << 20, mayDrop: true),
        BurstCase(
            title: "100,000 a second", count: 6_000_000, limit: 64 << 20, mayDrop: false, perSecond: 100_000),
        BurstCase(title: "1,000,000 in a loop, 640 MiB", count: 1_000_000, limit: 640 << 20, mayDrop: false),
    ]
    static let short = [
        BurstCase(title: "100,000 in a loop", count: 100_000, limit: 64 << 20, mayDrop: false),
        BurstCase(
            title: "100,000 in a loop, 8 MiB", count: 100_000, limit: 8 << 20, mayDrop: true, locksUntilDrop: true),
        BurstCase(title: "100,000 a second", count: 200_000, limit: 64 << 20, mayDrop: false, perSecond: 100_000),
    ]

    /// Sends the events, stores them, and compares the counts.
    func run(in folder: String, _ findings: inout Findings) async throws -> BurstLog {
        let ids = RandomTrackingIDs()
        let log = try SQLiteEventStore(
            path: folder + "/events.sqlite",
            options: .init(installID: { ids.uuid() }, retention: .keepAll, maximumPendingBytes: limit))
        let environment = try TrackingEnvironment<Screen>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: SystemTrackingClock(), timer: ContinuousClock(),
            ids: ids, sinks: [], flushPolicy: .manual, sendingLimit: nil,
            context: TrackingContext(app: "crash-harness 1.0", os: nil), diagnostics: { _ in })
        for _ in 1...1000 { environment.tracking.send(.search(query: "swift event tracking", page: 3)) }
        try await log.commit()
        let memory = AnonymousMemory()
        let began = SystemTrackingClock().now
        let lock = locksUntilDrop ? try DatabaseLock(folder + "/events.sqlite") : nil
        let accepted = await send(environment.tracking, lock) + 1000
        let ended = SystemTrackingClock().now
        let growth = memory.growth()
        try await log.commit()
        let stored = try await log.statistics().count
        let ledger = try await log.ledger()
        let counted = ledger.reduce(0) { $0 + $1.count }
        let dropped = Int64(count + 1000 - accepted)
        if Int64(accepted) != stored { findings.add(.lost, "\(title): \(accepted) accepted, \(stored) stored") }
        if dropped != counted || !ledger.allSatisfy({ $0.reason == .backlogFull }) {
            findings.add(.unexplained, "\(title): \(dropped) dropped, \(ledger) in the ledger")
        }
        if locksUntilDrop, dropped == 0 { findings.add(.failed, "\(title): no event was dropped") }
        if dropped > 0 {
            if !mayDrop { findings.add(.lost, "\(title): \(dropped) dropped") }
            let times = ledger.compactMap(\.times)
            if times.count != 1 || times[0].lowerBound < began || times[0].upperBound > ended {
                findings.add(.unexplained, "\(title): the drops have the times \(times)")
            }
        }
        if growth > 16 << 20 { findings.add(.failed, "\(title): \(growth >> 20) MiB more of anonymous memory") }
        let seconds = Double(ended.microseconds - began.microseconds) / 1e6
        return BurstLog(
            title: title, folder: folder, log: log,
            rows: [
                (title, ""), ("  dropped, and in the ledger", "\(dropped)"),
                ("  events a second", "\(Int(Double(count) / seconds))"),
                ("  anonymous memory, KiB more", "\(growth >> 10)"),
            ])
    }

    /// Sends on a separate thread, and returns the number of accepted events.
    private func send(_ tracking: Tracker, _ lock: DatabaseLock?) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var accepted = 0
                let begin = ContinuousClock.now
                for index in 0..<count {
                    if let perSecond, index.isMultiple(of: perSecond / 1000) {
                        let due = begin + .milliseconds(index / (perSecond / 1000))
                        let early = ContinuousClock.now.duration(to: due)
                        if early > .zero { usleep(UInt32(early / .microseconds(1))) }
                    }
                    if tracking.send(.search(query: "swift event tracking", page: 3)) != nil {
                        accepted += 1
                    } else {
                        lock?.release()
                    }
                }
                lock?.release()
                continuation.resume(returning: accepted)
            }
        }
    }
}

/// Prevents all commits to a database until it is released.
private final class DatabaseLock: Sendable {
    private let database: DatabaseQueue
    private let isHeld = Locked(true)

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.allowsUnsafeTransactions = true
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() {
        let isFirst = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        // If this fails, the log reports that it is busy.
        if isFirst { try? database.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") } }
    }
}

/// The anonymous memory of this process, sampled every few milliseconds.
private final class AnonymousMemory: Sendable {
    private let most: Locked<(now: Int, isOver: Bool)>
    private let before: Int

    init() {
        let before = Self.current()
        let most = Locked((now: before, isOver: false))
        (self.before, self.most) = (before, most)
        Thread.detachNewThread {
            while !most.withLock({ $0.isOver }) {
                let now = Self.current()
                most.withLock { $0.now = max($0.now, now) }
                usleep(5_000)
            }
        }
    }

    /// The maximum growth so far, in bytes.
    func growth() -> Int {
        most.withLock { most in
            most.isOver = true
            return max(0, max(most.now, Self.current()) - before)
        }
    }

    private static func current() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
