import Dispatch
import EventLog
import Primitives
import Testing

@testable import TrackingCore

/// The moment between the opening of a log and the numbering of earlier events.
@Suite("Numbers of pending events", .timeLimit(.minutes(5)))
struct PendingNumbersTests: OpeningSuite {
    let dependencies = TestDependencies()
    let gate = OpeningGate()

    /// A log whose first append waits.
    private final class SlowLog: ForwardingEventStore {
        let next: any EventStore
        let mayAppend = DispatchSemaphore(value: 0)
        let isAppending = Locked(false)

        init(_ next: any EventStore) { self.next = next }

        func append(
            lineCapacity: Int, priority: EventPriority,
            _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> {
            let isFirst = isAppending.withLock { isAppending in
                defer { isAppending = true }
                return !isAppending
            }
            if isFirst { mayAppend.wait() }
            return next.append(lineCapacity: lineCapacity, priority: priority, fill)
        }
    }

    @Test("flushToDisk, close and opened wait for the numbers of pending events", arguments: 0..<3)
    func waiting(call: Int) async throws {
        let log = SlowLog(dependencies.log)
        let tracker = start(log).tracking
        for _ in 1...3 { #expect(tracker.send(.launch)?.isPending == true) }
        let stored = Locked<Int?>(nil)
        let waiting = Task {
            switch call {
            case 0: try await tracker.flushToDisk()
            case 1: try await tracker.close()
            default: try await tracker.opened()
            }
            stored.withLock { $0 = dependencies.log.records.count }
        }
        gate.open()
        while !log.isAppending.withLock({ $0 }) { await Task.yield() }
        for _ in 1...50 { await Task.yield() }
        #expect(stored.withLock { $0 } == nil)
        log.mayAppend.signal()
        try await waiting.value
        #expect(stored.withLock { $0 } == 3)
        #expect(tracker.send(.launch)?.seq == (call == 1 ? nil : 4))
    }
}
