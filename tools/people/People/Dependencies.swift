import EventLog
import EventModel
import Primitives
import TrackingCore

/// An event with the number of the call that sent it.
protocol TokenEvent: TrackingEvent {
    var token: Int { get }
}

struct Ping: TokenEvent {
    static let name = "ping"
    let token: Int
}

struct AdPing: TokenEvent {
    static let name = "ad-ping"
    static let purpose: Purpose = "ads"
    let token: Int
}

struct ResearchPing: TokenEvent {
    static let name = "research-ping"
    static let purpose: Purpose = "research"
    let token: Int
}

struct NecessaryPing: TokenEvent {
    static let name = "necessary-ping"
    static let purpose = Purpose.exempt
    let token: Int
}

enum Route: RouteCommand { case home }

/// The time, which only steps of the history change.
final class StepClock: TrackingClock {
    private let seconds = Locked(1_750_000_000)
    var now: EventTime { EventTime(seconds: Int64(seconds.withLock { $0 })) }
    func step(_ change: Int) { seconds.withLock { $0 += change } }
}

/// Ids that count.
final class CountedIDs: TrackingIDs {
    private let count = Locked<UInt64>(0)
    private let uuids = Locked<UInt64>(0)
    /// How many ids of devices and sessions were made.
    var madeUUIDs: UInt64 { uuids.withLock { $0 } }

    private func next() -> UInt64 {
        count.withLock {
            $0 += 1
            return $0
        }
    }

    func eventID(at time: EventTime) -> EventID {
        EventID(milliseconds: time.milliseconds, counter: 0, random: SplitMix64.mixed(next()))
    }

    func uuid() -> String {
        uuids.withLock { $0 += 1 }
        let digits = String(next())
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

/// A timer that never waits.
struct NoWait: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    /// A wait of a minute is a sink's deadline, which must not pass on a busy machine.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard now.duration(to: deadline) < .seconds(50) else {
            return try await Task.sleep(until: deadline, clock: .continuous)
        }
        await Task.yield()
    }
}

/// Notes the numbers of all delivered events, and those of the last erasure.
final class NotingSink: Sink {
    let name = "noting"
    let seqs = Locked<[Int64]>([])
    let erased = Locked<[Int64]>([])

    func erase(_ request: ErasureRequest) async -> ErasureAnswer {
        erased.withLock { $0 = request.installs.flatMap(\.numbers).flatMap(Array.init) }
        return .done(checkpoint: request.checkpoint)
    }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        seqs.withLock { $0 += batch.records.map(\.seq) }
        return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
    }
}

/// The sink of one process. What a killed process still delivers from its files is not part of the history.
final class ProcessSink: Sink {
    private let shared: NotingSink
    private let isKilled: @Sendable () -> Bool
    var name: String { shared.name }

    init(_ shared: NotingSink, isKilled: @escaping @Sendable () -> Bool) {
        self.shared = shared
        self.isKilled = isKilled
    }

    func erase(_ request: ErasureRequest) async -> ErasureAnswer {
        isKilled() ? .pending(after: nil, reason: "killed") : await shared.erase(request)
    }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        isKilled() ? .retry(after: .seconds(3600), reason: "killed") : await shared.deliver(batch)
    }
}

/// Runs a task's code up to its first wait before the task's initializer returns.
final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
