import Dispatch
import EventLog
import Primitives
import Testing

@testable import TrackingCore

/// Logs that are not opened before they are needed.
@Suite("Opening a log when it is needed", .timeLimit(.minutes(5)))
struct OpeningWhenNeededTests {
    private let dependencies = TestDependencies()

    @Test("an answer while the stored values are read again opens the log once")
    func once() async throws {
        let openings = Atomic(0)
        let reads = Atomic(0)
        let answered = DispatchSemaphore(value: 0)
        var setup = dependencies.setup()
        setup.consent = .required(before: .memory)
        setup.sharesIdentity = true
        setup.unopenedConsent = {
            if reads.wrappingAdd(1, ordering: .relaxed).oldValue == 1 { answered.wait() }
            return .unreadable
        }
        let tracker = Tracker.open(setup, storage: dependencies.storage) { [log = dependencies.log] in
            openings.wrappingAdd(1, ordering: .relaxed)
            return (log, [])
        }
        tracker.send(.launch)
        await #expect(throws: EventLogError.self) { try await tracker.opened() }
        tracker.process(.becameActive)
        tracker.process(.consent(.granted))
        answered.signal()
        try await tracker.opened()
        try await tracker.flushToDisk()
        #expect(openings.load(ordering: .relaxed) == 1)
        #expect(try dependencies.strings("seq").count == 2)
        try await tracker.close()
    }
}
