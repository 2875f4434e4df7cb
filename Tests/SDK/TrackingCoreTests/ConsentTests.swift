import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore

/// Users' answers and their effect in an environment.
@Suite("Consent", .timeLimit(.minutes(5)))
struct ConsentTests {
    let dependencies = TestDependencies()

    /// A log that stores answers slowly, or fails to.
    private final class SlowAnswers: ForwardingEventStore {
        struct Away: Error {}

        let next: any EventStore
        private let answers = Locked<[String]>([])
        private let gates: AsyncStream<Bool>
        private let gate: AsyncStream<Bool>.Continuation

        init(_ next: any EventStore) {
            self.next = next
            (gates, gate) = AsyncStream.makeStream()
        }

        /// The changes that were stored: answers, and what follows from signing in.
        var stored: [String] { answers.withLock { $0 } }

        /// Lets this many answers be stored, or fail.
        func open(_ count: Int, works: Bool = true) { for _ in 0..<count { gate.yield(works) } }

        func append(
            lineCapacity: Int, priority: EventPriority,
            _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> {
            next.append(lineCapacity: lineCapacity, priority: priority, fill)
        }

        func storeConsent(_ change: NumberedConsentChange) async throws {
            for await works in gates {
                guard works else { throw Away() }
                break
            }
            try await next.storeConsent(change)
            let text = if case .answer(let answer) = change.change { answer.choice.rawValue } else { "linked" }
            answers.withLock { $0.append(text) }
        }
    }

    @Test("without an answer, events are kept, and delivered once the user agrees")
    func required() async throws {
        let sink = AcceptingSink()
        let environment = dependencies.start(sinks: [sink], consent: .required)
        environment.tracking.identify("ada")
        let other = dependencies.start(sinks: [sink])
        other.tracking.identify("other")
        #expect(environment.tracking.consent.value == .unknown)
        for _ in 1...2 { environment.tracking.send(.launch) }
        other.tracking.send(.launch)
        await environment.tracking.flush()
        #expect(sink.batches.map { $0.records.map(\.seq) } == [[3]])
        #expect(sink.batches[0].missing == sink.batches[0].missing.filter { $0.reason == .held })
        try await environment.tracking.setConsent(.granted)
        await environment.tracking.flush()
        #expect(sink.batches.map { $0.records.map(\.seq) } == [[3], [1, 2]])
        #expect(try await dependencies.log.ledger() == [])
    }

    @Test("an opt-out in one environment applies immediately in another of the same user")
    func optOutElsewhere() async throws {
        let environments = [dependencies.start(), dependencies.start()]
        #expect(environments[1].tracking.send(.launch) != nil)
        try await environments[0].tracking.setConsent(.denied)
        #expect(environments[1].tracking.consent.value == .denied)
        #expect(environments[1].tracking.send(.launch) == nil)
        try await environments[0].tracking.setConsent(.granted)
        #expect(environments[1].tracking.send(.launch) != nil)
    }

    @Test("with required consent, not even a simultaneous delivery has events of a new user")
    func requiredAtOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("consent-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = try SQLiteEventStore(
            path: folder.path + "/events.sqlite", options: .init(installID: { UUID().uuidString }))
        let sink = AcceptingSink()
        let environment = try TrackingEnvironment<Route>.live(
            log: log, storage: dependencies.storage, clock: dependencies.clock, timer: ManualTimer(),
            ids: dependencies.ids,
            sinks: [sink], flushPolicy: .manual, consent: .required, context: nil, diagnostics: { _ in })
        environment.tracking.send(.launch)
        await environment.tracking.flush()
        for number in 1...8 {
            environment.tracking.identify("user-\(number)")
            environment.tracking.send(.launch)
            await environment.tracking.flush()
            environment.tracking.reset()
            environment.tracking.send(.launch)
            await environment.tracking.flush()
        }
        #expect(sink.batches.isEmpty)
        try await environment.tracking.setConsent(.granted)
        await environment.tracking.flush()
        #expect(sink.batches.map { $0.records.map(\.seq) } == [[17]])
        // The anonymous person who agreed is user 7.
        environment.tracking.identify("user-7")
        #expect(environment.tracking.consent == ConsentStatus(.granted, isAnswered: true))
        try await log.close()
        let next = try SQLiteEventStore(
            path: folder.path + "/events.sqlite", options: .init(installID: { UUID().uuidString }))
        #expect(next.consent(of: "user-8") == .unknown)
        try await next.close()
    }

    @Test("answers are stored in order; an older one never overrides a newer one")
    func order() async throws {
        let log = SlowAnswers(dependencies.log)
        let environment = try TrackingEnvironment<Route>.live(
            log: log, storage: dependencies.storage, clock: dependencies.clock, timer: ManualTimer(),
            ids: dependencies.ids, sinks: [],
            context: nil, diagnostics: { _ in })
        let tracking = environment.tracking
        async let out: Void = tracking.setConsent(.denied)
        while tracking.consent.value != .denied { await Task.yield() }
        // Inherits the opt-out, which is being stored for her, too; then she opts out herself.
        tracking.identify("ada")
        #expect(tracking.consent.value == .denied && tracking.send(.launch) == nil)
        async let again: Void = tracking.setConsent(.denied)
        log.open(2)
        try await out
        while log.stored.count < 2 { await Task.yield() }
        // The first two are stored, but not her own yet.
        #expect(tracking.consent.value == .denied)
        async let back: Void = tracking.setConsent(.granted)
        log.open(2)
        _ = try await (again, back)
        #expect(log.stored == ["denied", "linked", "denied", "granted"])
        #expect(log.consent(of: "ada") == .granted && tracking.consent.value != .denied)
        #expect(tracking.send(.launch) != nil)
    }

    @Test("an opt-out that can't be stored is reported, and in effect for that user until the process ends")
    func notStored() async throws {
        let log = SlowAnswers(dependencies.log)
        let environment = try TrackingEnvironment<Route>.live(
            log: log, storage: dependencies.storage, clock: dependencies.clock, timer: ManualTimer(),
            ids: dependencies.ids, sinks: [],
            context: nil, diagnostics: { _ in })
        log.open(1, works: false)
        await #expect(throws: SlowAnswers.Away.self) { try await environment.tracking.setConsent(.denied) }
        #expect(environment.tracking.consent.value == .denied)
        log.open(1)
        try await environment.tracking.setConsent(.denied)
        #expect(dependencies.log.consent(of: "00000000-0000-4000-8000-000000000001") == .denied)
        log.open(1)
        try await environment.tracking.setConsent(.granted)
        #expect(environment.tracking.consent.value != .denied)
    }

    @Test("unreadable storage creates no device id and opts no user in; later, the stored state is restored")
    func lockedStorage() async throws {
        let storage = LockedStorage(["device_id": "device", "user_id": "ada"])
        try await dependencies.log.setConsent(.denied, of: ["ada", "device"])
        func start() throws -> TrackingEnvironment<Route> {
            try .live(
                log: dependencies.log, storage: storage, clock: dependencies.clock, timer: ManualTimer(),
                ids: dependencies.ids,
                sinks: [], context: nil, diagnostics: { _ in })
        }
        #expect(throws: LockedStorage.NotUnlocked.self) { try start() }
        storage.unlock()
        let environment = try start()
        #expect(environment.device.store.state.deviceID == "device")
        #expect(environment.tracking.consent.value == .denied && environment.tracking.send(.launch) == nil)
        #expect(dependencies.log.consent(of: "ada") == .denied)
        #expect(dependencies.log.consent(of: "device") == .denied)
    }
}
