import EventLog
import EventModel
import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore

/// Random histories of clocks, restarts, kills and a server's answers. `TRACKING_CLOCK_STEPS` sets their length.
@Suite("Delivery, whatever the clocks do", .timeLimit(.minutes(60)))
struct ClockHistoryTests {
    private static let steps = ProcessInfo.processInfo.environment["TRACKING_CLOCK_STEPS"].flatMap { Int($0) } ?? 1000

    /// A device: how much time has really passed, and what its clocks show.
    private final class Device: TrackingClock {
        private let state = Locked((passed: Int64(0), wall: Int64(0), boot: 0, bootedAt: Int64(0)))

        /// Seconds that have passed.
        var passed: Int64 { state.withLock { $0.passed } }
        var now: EventTime { state.withLock { EventTime(seconds: 1_700_000_000 + $0.passed + $0.wall) } }
        var sinceBoot: BootTime {
            state.withLock { BootTime(boot: "\($0.boot)", microseconds: ($0.passed - $0.bootedAt) * 1_000_000) }
        }

        func advance(by seconds: Int64) { state.withLock { $0.passed += seconds } }
        func step(by seconds: Int64) { state.withLock { $0.wall += seconds } }

        func reboot(wall: Int64) {
            state.withLock { state in
                state.boot += 1
                state.bootedAt = state.passed
                state.wall = wall
            }
        }
    }

    private enum Answer {
        case stored, broken, halted
        case busy(seconds: Int64)
    }

    private final class Server: Sink {
        let name = "server"
        let answer = Locked(Answer.stored)
        let requests = Locked(0)
        /// The batch that has stored an event.
        let stored = Locked<[Int64: String]>([:])
        let doubled = Locked<[Int64]>([])

        func deliver(_ batch: EventBatch) async -> DeliveryResult {
            requests.withLock { $0 += 1 }
            switch answer.withLock({ $0 }) {
            case .broken: return .retry(after: nil, reason: "broken")
            case .halted: return .halt(reason: "wrong key")
            case .busy(let seconds): return .retry(after: .seconds(seconds), reason: "busy")
            case .stored: break
            }
            let again = stored.withLock { stored in
                batch.records.map(\.seq).filter {
                    stored.updateValue(batch.id, forKey: $0).map { $0 != batch.id } ?? false
                }
            }
            doubled.withLock { $0 += again }
            return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
        }
    }

    /// A log that is killed before an answer is stored, if asked to.
    private struct KilledLog: ForwardingEventStore {
        struct Killed: Error {}
        let next: any EventStore
        let isKilled: Locked<Bool>

        func append(
            lineCapacity: Int, priority: EventPriority,
            _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }

        func settle(
            _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
        ) async throws -> SettledBatch? {
            if isKilled.withLock({ $0 }) { throw Killed() }
            return try await next.settle(lease, batch: batch, result, pause: pause)
        }
    }

    @Test(
        "a pause is as long as it should be, delivery continues after it, and nothing is delivered twice",
        arguments: [1, 2] as [UInt64])
    func histories(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let (device, server, memory) = (Device(), Server(), InMemoryEventStore(installID: "install"))
        let log = KilledLog(next: memory, isKilled: Locked(false))
        func start() throws -> EventFlusher {
            try EventFlusher(
                log: log, sinks: [server], policy: .manual, clock: device, timer: ManualTimer(), diagnostics: { _ in },
                jitter: { $0 })
        }
        var flusher: EventFlusher? = try start()
        /// When a request may arrive, and when it must: seconds that have passed.
        var (earliest, latest): (Int64, Int64) = (0, 0)
        var sent: Int64 = 0
        var wrong: [String] = []
        for step in 1...Self.steps {
            switch random.below(100) {
            case ..<30: device.advance(by: Int64(random.below(31)))
            case ..<36: device.advance(by: Int64(random.below(8000)))
            case ..<50:
                let sizes: [Int64] = [120, 10_800, 172_800, 631_152_000]
                device.step(by: sizes[random.below(4)] * (random.happens(50) ? 1 : -1))
            case ..<55:
                // A clock without a battery, a right one, or one that is ahead.
                flusher = nil
                device.reboot(wall: [-1_700_000_000 - device.passed, 0, 172_800][random.below(3)])
                flusher = try start()
                // By the wall clock, the pause may be over. At most 30 seconds of it were not stored.
                earliest = 0
                latest += 31
            case ..<65:
                flusher = nil
                flusher = try start()
            case ..<80:
                for _ in 0...random.below(3) { if case .success = log.append() { sent += 1 } }
            case ..<85: server.answer.withLock { $0 = .stored }
            case ..<90: server.answer.withLock { $0 = .busy(seconds: 1 + Int64(random.below(600))) }
            case ..<92: server.answer.withLock { $0 = .halted }
            case ..<95: server.answer.withLock { $0 = .broken }
            default: log.isKilled.withLock { $0 = true }
            }
            let before = server.requests.withLock { $0 }
            let isPending = try await memory.cursor(of: server.name).acknowledged < sent
            await flusher?.flush()
            let requests = server.requests.withLock { $0 } - before
            if requests > 0, device.passed < earliest {
                wrong.append("step \(step): \(earliest - device.passed) s early")
            }
            if requests == 0, isPending, device.passed >= latest {
                wrong.append("step \(step): \(device.passed - latest) s late")
            }
            if requests > 0 {
                (earliest, latest) = (0, 0)
                let isKilled = log.isKilled.withLock { $0 }
                switch server.answer.withLock({ $0 }) {
                // The process ends before it has stored the wait.
                case _ where isKilled: break
                case .busy(let seconds): (earliest, latest) = (device.passed + seconds, device.passed + seconds)
                case .halted: (earliest, latest) = (device.passed + 3600, device.passed + 3600)
                case .stored, .broken: break
                }
            }
            if log.isKilled.withLock({ $0 }) {
                log.isKilled.withLock { $0 = false }
                flusher = nil
                flusher = try start()
            }
        }
        #expect(wrong == [])
        #expect(server.doubled.withLock { $0 } == [])
        server.answer.withLock { $0 = .stored }
        device.advance(by: 100_000)
        await flusher?.flush()
        #expect(server.stored.withLock { Set($0.keys) } == Set(1...sent))
    }
}
