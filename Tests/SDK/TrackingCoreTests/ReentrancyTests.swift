import EventLog
import Primitives
import Testing

@testable import TrackingCore

/// Every public method of a tracker, called from every closure and object of the app that a tracker calls, apart from
/// ``TrackingIDs``. None is called with a lock held, so none can deadlock.
@Suite("A tracker's methods within its callbacks", .timeLimit(.minutes(2)))
struct ReentrancyTests {
    enum Callback: String, CaseIterable {
        case diagnostics, subscriber, device, clock, storage, sink, encode, verifier
    }

    /// Calls every method of a tracker, once, when the callback under test is called.
    private final class Caller: Sendable {
        private let callback: Callback
        private let tracker = Locked<Tracker?>(nil)
        private let state = Locked((isCalled: false, tasks: [Task<Void, Never>]()))

        init(_ callback: Callback) { self.callback = callback }

        func use(_ tracker: Tracker) { self.tracker.withLock { $0 = tracker } }

        var hasCalled: Bool { state.withLock { $0.isCalled } }

        func called(_ callback: Callback) {
            guard callback == self.callback, let tracker = tracker.withLock({ $0 }) else { return }
            let isFirst = state.withLock { state in
                defer { state.isCalled = true }
                return !state.isCalled
            }
            guard isFirst else { return }
            tracker.send(.launch)
            tracker.send(Misnamed())
            tracker.identify("ann")
            tracker.identify("")
            tracker.process(.consent(.granted))
            _ = tracker.consent
            tracker.reset()
            let task = Task {
                // The results don't matter, only that the methods return.
                try? await tracker.opened()
                try? await tracker.setConsent(.granted)
                _ = try? await tracker.send(.launch, reaching: .survivesPowerLoss)
                try? await tracker.flushToDisk()
            }
            state.withLock { $0.tasks.append(task) }
        }

        /// Returns when all methods have returned.
        func settle() async { for task in state.withLock({ $0.tasks }) { await task.value } }
    }

    private struct Clock: TrackingClock {
        let caller: Caller

        var now: EventTime {
            caller.called(.clock)
            return EventTime(seconds: 1000)
        }
    }

    private struct Storage: KeyValueStorage {
        let values = InMemoryKeyValueStorage()
        let caller: Caller

        func string(forKey key: String) -> String? {
            caller.called(.storage)
            return values.string(forKey: key)
        }

        func set(_ value: String?, forKey key: String) {
            caller.called(.storage)
            values.set(value, forKey: key)
        }
    }

    private struct Encoded: TrackingEvent {
        static let name = "encoded"
        let caller: Caller

        func encode(to encoder: any Encoder) throws {
            caller.called(.encode)
            var container = encoder.singleValueContainer()
            try container.encode(["a": 1])
        }
    }

    private struct Verifier: SignatureVerifier {
        let caller: Caller

        func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
            caller.called(.verifier)
            return true
        }
    }

    @Test("none deadlocks, before and after the log is open", arguments: Callback.allCases, [false, true])
    func methods(callback: Callback, isOpen: Bool) async throws {
        let dependencies = TestDependencies()
        let caller = Caller(callback)
        let gate = OpeningGate()
        var setup = TrackerSetup(
            clock: Clock(caller: caller), timer: ContinuousClock(), ids: dependencies.ids, context: nil,
            diagnostics: { _ in caller.called(.diagnostics) })
        setup.flushPolicy = .manual
        setup.unplanned = .allowed
        setup.switches = SwitchesSetup {
            SwitchesUpdater.Parts(
                source: SourceDouble(Signed.document(1)),
                trust: .signed(by: [Signed.key], verifier: Verifier(caller: caller)), file: nil)
        }
        let sink = RecordingSink("sink") { batch in
            caller.called(.sink)
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let tracker = Tracker.open(setup, storage: Storage(caller: caller)) { [log = dependencies.log] in
            BlockedThread.wait { await gate.pass() }
            return (log, [sink])
        }
        let subscriptions = (
            tracker.dispatcher.subscribe { _ in caller.called(.subscriber) },
            tracker.device.actionCreator.dispatcher.subscribe { _ in caller.called(.device) }
        )
        if !isOpen { caller.use(tracker) }
        gate.open()
        if isOpen {
            try await tracker.opened()
            await tracker.switchesChecked()
            caller.use(tracker)
        }
        tracker.send(Encoded(caller: caller))
        tracker.send(Misnamed())
        tracker.identify("bob")
        tracker.reset()
        try await tracker.flushToDisk()
        await tracker.flush()
        await tracker.switchesChecked()
        // The documents are verified once, when the log is open.
        #expect(caller.hasCalled || isOpen && callback == .verifier)
        await caller.settle()
        await tracker.flush()
        #expect(tracker.send(.launch) != nil)
        withExtendedLifetime(subscriptions) {}
    }
}
