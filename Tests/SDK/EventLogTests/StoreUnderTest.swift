import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// The implementations that the conformance tests run with.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, inMemory, forwarding

    var testDescription: String { rawValue }

    /// Makes an empty store. The folder must outlive the store.
    func make(in folder: LogFolder, retention: Retention = .keepAll) throws -> any EventStore {
        switch self {
        case .sqlite: try folder.open(retention: retention)
        case .inMemory: InMemoryEventStore(installID: "install-1", retention: retention)
        case .forwarding: Passing(next: InMemoryEventStore(installID: "install-1", retention: retention))
        }
    }

    /// A log that only forwards to another log.
    private struct Passing: ForwardingEventStore {
        let next: any EventStore

        func append(
            lineCapacity: Int, priority: EventPriority,
            _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }
    }
}

/// Deterministic numbers that look random.
struct SteadyGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
