import Foundation
import Synchronization
import Tracking

/// Ends the process with SIGKILL at a chosen moment, so that tests can kill a real process exactly there.
struct CrashPlan {
    let atEvent: Int64?
    let inFlush: Int?

    /// Kills the process if this event is the one.
    func eventWasSent(_ container: TrackingContainer) {
        if container.seq == atEvent { Self.crash() }
    }

    /// A sink that kills the process half way through the chosen flush.
    func wrap(_ sink: any Sink) -> any Sink {
        guard let inFlush else { return sink }
        return CrashingSink(sink: sink, delivery: inFlush)
    }

    fileprivate static func crash() {
        kill(getpid(), SIGKILL)
    }
}

/// Writes half of a batch, then ends the process before anything of it is acknowledged.
private final class CrashingSink: Sink {
    private let sink: any Sink
    private let delivery: Int
    private let count = Mutex(0)

    init(sink: any Sink, delivery: Int) {
        self.sink = sink
        self.delivery = delivery
    }

    var name: String { sink.name }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number == delivery else { return await sink.deliver(batch) }
        let half = Array(batch.records.prefix(max(batch.records.count / 2, 1)))
        let result = await sink.deliver(EventBatch(records: half, checkpoint: batch.checkpoint))
        CrashPlan.crash()
        return result
    }
}
