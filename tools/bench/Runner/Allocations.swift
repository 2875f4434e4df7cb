import CBaselines
import Dispatch
import EventLog
import EventModel
import Foundation
import JSONLines
import TrackingCore
import TrackingDomainEvents

/// Counts heap blocks: none while a standard event is written into a writer that was used before, and none while one is
/// sent that no recorder sees. Measures the memory of events that wait for the log.
struct Allocations: Benchmark {
    let name = "allocations"
    let summary = "heap allocations of a thousand lines of standard events, and of a thousand sends without a recording"

    func figures(rounds: Int) throws -> [Figure] {
        guard allocations_can_be_counted() else { throw BenchmarkFailure("cannot count allocations on this system") }
        let planted = count { keep([UInt8](repeating: 1, count: rounds)) }
        let aligned = count { UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 64).deallocate() }
        let notification = NotificationResponse(
            identifier: "new-release", userInfo: ["repository": "swift", "number": 7, "ratio": 0.1, "read": false])
        let samples = EncodingSamples.standard + [("notification", EncodingSamples.container(notification))]
        return [
            Figure(name: "a planted array is counted", count: planted, bar: .atLeast(1), isCheck: true),
            Figure(name: "a planted aligned block is counted", count: aligned, bar: .atLeast(1), isCheck: true),
        ]
            + (try samples.map { name, container in
                var json = JSONWriter(capacity: 4096)
                try container.write(to: &json)
                let blocks = try count {
                    for _ in 0..<1000 {
                        json.removeAll()
                        try container.write(to: &json)
                    }
                }
                return Figure(name: name, count: blocks, bar: .atMost(0))
            }) + [
                Figure(name: "send", count: try sending { try LiveEnvironment($0).send }, bar: .atMost(0)),
                Figure(
                    name: "send, started tracker", count: try sending { try StartedTracker($0).send }, bar: .atMost(0)),
                Figure(name: "a held event, bytes in addition to its value", count: try heldBytes(), bar: .atMost(256)),
            ]
    }

    /// The bytes of a held event, without its value. The number of events is the worst one: their array has just grown.
    private func heldBytes() throws -> Int64 {
        let gate = DispatchSemaphore(value: 0)
        var setup = TrackerSetup(
            clock: SystemTrackingClock(), timer: ContinuousClock(), ids: RandomTrackingIDs(), context: nil
        ) { _ in }
        setup.sendingLimit = nil
        let tracker = Tracker.open(setup, storage: InMemoryKeyValueStorage()) {
            gate.wait()
            return (InMemoryEventStore(installID: ""), [])
        }
        defer { gate.signal() }
        let event = Search(query: "swift event tracking", page: 3)
        let value = try JSONEncoder().encode(event).count
        tracker.send(event)
        let (count, before) = (33_000, allocated_bytes())
        for _ in 0..<count where tracker.send(event) == nil { throw BenchmarkFailure("a held event was dropped") }
        return (allocated_bytes() - before) / Int64(count) - Int64(value)
    }

    /// A thousand sends on an environment that was used before; what the log does with them on its own thread is not
    /// counted.
    private func sending(_ make: (LogFolder) throws -> () -> Bool) throws -> Int64 {
        let folder = try LogFolder()
        defer { withExtendedLifetime(folder) {} }
        let sendOne = try make(folder)
        var drops = 0
        func send() { for _ in 0..<1000 where !sendOne() { drops += 1 } }
        send()
        let blocks = count { send() }
        guard drops == 0 else { throw BenchmarkFailure("\(drops) events could not be sent") }
        return blocks
    }

    private func count(_ work: () throws -> Void) rethrows -> Int64 {
        allocations_start()
        defer { _ = allocations_stop() }
        try work()
        return allocations_stop()
    }

    /// Keeps the optimiser from leaving the array out.
    @inline(never)
    private func keep(_ bytes: [UInt8]) { precondition(!bytes.isEmpty) }
}
