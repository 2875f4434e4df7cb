import EventLog
import EventModel
import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents

/// `Tracker.erase(user:)`: the log, its sinks, the storage and a recording.
@Suite("Deleting a user's data", .timeLimit(.minutes(10)))
struct ErasureTests {
    let folder: LogFolder
    let dependencies = TestDependencies()

    init() throws { folder = try LogFolder() }

    private enum Screen: String, RouteCommand, Encodable { case home }

    private func fileSink(_ rotation: FileRotation = .never) -> JSONLinesFileSink {
        JSONLinesFileSink(directory: folder.url.path, fileName: "out", rotation: rotation)
    }

    /// A tracker whose log, storage and files are in the folder.
    private func start(
        _ sinks: [any Sink], waiting gate: OpeningGate? = nil, fails: Bool = false, timer: ManualTimer = ManualTimer(),
        wrapping: @escaping @Sendable (any EventStore) -> any EventStore = { $0 }
    ) throws -> Tracker {
        var setup = TrackerSetup(
            clock: dependencies.clock, timer: timer, ids: RandomTrackingIDs(), context: nil,
            diagnostics: { [dependencies] in dependencies.report($0) })
        setup.sharesIdentity = true
        setup.flushPolicy = .manual
        setup.sendingLimit = nil
        let storage = try FileKeyValueStorage(path: folder.url.path + "/tracking.json")
        return Tracker.open(setup, storage: storage) { [folder] in
            if let gate { BlockedThread.wait { await gate.pass() } }
            if fails { throw OpeningFailure() }
            return (wrapping(try folder.open()), sinks)
        }
    }

    /// Sends two events of Ada, and then of Bob.
    private func sendOfBoth(_ tracker: Tracker) {
        for user in ["ada", "bob"] {
            tracker.identify("customer-\(user)")
            for page in 1...2 { tracker.send(.search(query: "marker-of-\(user)", page: page)) }
        }
    }

    /// Delivers two events of Ada and of Bob to the file, and closes the tracker.
    ///
    /// - Returns: The file's checkpoint.
    private func deliverOfBoth(_ tracker: Tracker) async throws -> String {
        sendOfBoth(tracker)
        await tracker.flush()
        try await tracker.close()
        let store = try folder.open()
        let checkpoint = try await store.cursor(of: "file:out").checkpoint
        try await store.close()
        return try #require(checkpoint)
    }

    /// The users and the numbers in the sink's files, in the order of their names, the open file last.
    private func delivered() throws -> [String] {
        let names = try folder.names().filter { $0.hasPrefix("out") && $0.hasSuffix(".jsonl") }
        return try (names.filter { $0 != "out.jsonl" } + ["out.jsonl"]).flatMap { name in
            try String(contentsOfFile: folder.url.appendingPathComponent(name).path, encoding: .utf8)
                .split(separator: "\n").map { line in
                    let json = try JSONParser.parse(line.utf8)
                    return "\(json["seq"]?.integerValue ?? 0) \(json["user_id"]?.stringValue ?? "")"
                }
        }
    }

    private func expectNoTraces(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for text in ["of-ada", "customer-ada"] {
            #expect(try folder.files(with: text) == [], sourceLocation: sourceLocation)
        }
    }

    @Test(
        "no file of the folder has a byte of the user's events or the id; the other lines keep their order",
        arguments: [FileRotation.never, FileRotation(maximumBytes: 700)])
    func files(rotation: FileRotation) async throws {
        let tracker = try start([fileSink(rotation)])
        sendOfBoth(tracker)
        await tracker.flush()
        sendOfBoth(tracker)
        tracker.identify("customer-ada")
        tracker.send(.search(query: "marker-of-ada", page: 3))
        await tracker.flush()
        sendOfBoth(tracker)
        tracker.identify("customer-ada")
        let damaged = folder.url.path + "/out.jsonl.damaged-1"
        let torn = #"{"v":1,"user_id":"customer-ada","event":{"value":{"query":"marker-of-ada"#
        try "their own line\n\(torn)".write(toFile: damaged, atomically: true, encoding: .utf8)
        let device = dependencies.device(of: tracker)
        let lines = try EventLogReader(path: folder.path).read(after: 0).map { try JSONParser.parse($0.line) }
        let sessions = Set(
            lines.filter { $0["user_id"] == .string("customer-ada") }.compactMap { $0["session_id"]?.stringValue })
        let result = try await tracker.erase(user: "customer-ada")
        #expect(result == ErasureResult(sinks: ["file:out": .done]) && result.isComplete)
        try expectNoTraces()
        #expect(!sessions.isEmpty)
        for id in sessions.union([device]) { #expect(try folder.files(with: id) == []) }
        #expect(try String(contentsOfFile: damaged, encoding: .utf8) == "their own line\n")
        #expect(try delivered() == ["3 customer-bob", "4 customer-bob", "7 customer-bob", "8 customer-bob"])
        // The user is signed out.
        #expect(tracker.userID == nil && dependencies.device(of: tracker) != device)
        tracker.identify("customer-eve")
        tracker.send(.search(query: "x", page: 1))
        await tracker.flush()
        #expect(
            try delivered().suffix(4) == [
                "8 customer-bob", "12 customer-bob", "13 customer-bob", "14 customer-eve",
            ])
        #expect(dependencies.diagnostics.withLock { $0 } == [])
        // A restart continues the file.
        try await tracker.close()
        let next = try start([fileSink(rotation)])
        next.send(.search(query: "x", page: 2))
        await next.flush()
        #expect(try delivered().count == 8 && dependencies.diagnostics.withLock { $0 } == [])
        try await next.close()
    }

    @Test("the file continues if all of its lines were the user's")
    func allLines() async throws {
        let tracker = try start([fileSink()])
        tracker.identify("customer-ada")
        tracker.send(.search(query: "marker-of-ada", page: 1))
        await tracker.flush()
        _ = try await tracker.erase(user: "customer-ada")
        #expect(try delivered() == [])
        tracker.identify("customer-bob")
        tracker.send(.search(query: "x", page: 1))
        await tracker.flush()
        #expect(try delivered() == ["2 customer-bob"] && dependencies.diagnostics.withLock { $0 } == [])
        try await tracker.close()
    }

    @Test(
        "a kill between the rewriting of the file and the storing of its length loses and repeats no line",
        arguments: [FileRotation.never, FileRotation(maximumBytes: 1100)])
    func killed(rotation: FileRotation) async throws {
        let fileSink = { self.fileSink(rotation) }
        let tracker = try start([fileSink()])
        let checkpoint = try await deliverOfBoth(tracker)
        let request = ErasureRequest(userIDs: ["customer-ada"], checkpoint: checkpoint)
        guard case .done(let renewed?) = await fileSink().erase(request) else {
            Issue.record("not erased")
            return
        }
        #expect(renewed != checkpoint)
        // Again, as the next process does.
        #expect(await fileSink().erase(request) == .done(checkpoint: renewed))
        // The next file, also if the process is killed again before the log has the checkpoint.
        if rotation != .never {
            let record = EventRecord.of("customer-bob", String(repeating: "x", count: 800), seq: 5)
            _ = await fileSink().deliver(EventBatch(records: [record], checkpoint: checkpoint))
        }
        let next = try start([fileSink()])
        next.send(.search(query: "x", page: 1))
        await next.flush()
        #expect(try delivered() == ["3 customer-bob", "4 customer-bob", "5 customer-bob"])
        #expect(dependencies.diagnostics.withLock { $0 } == [])
        try await next.close()
        // The note of the former length is not needed any more.
        let last = try start([fileSink()])
        await last.flush()
        #expect(try folder.names().filter { $0.contains("erased") } == [])
        try await last.close()
    }

    @Test("a kill before the rewritten file replaces the former one loses no line, and so does the next erasure")
    func killedBefore() async throws {
        let tracker = try start([fileSink()])
        let checkpoint = try await deliverOfBoth(tracker)
        let open = folder.url.appendingPathComponent("out.jsonl")
        let former = try Data(contentsOf: open)
        _ = await fileSink().erase(ErasureRequest(userIDs: ["customer-ada"], checkpoint: checkpoint))
        try FileManager.default.moveItem(at: open, to: folder.url.appendingPathComponent("draft"))
        try former.write(to: open)
        let next = try start([fileSink()])
        next.send(.search(query: "x", page: 1))
        await next.flush()
        #expect(
            try delivered() == [
                "1 customer-ada", "2 customer-ada", "3 customer-bob", "4 customer-bob", "5 customer-bob",
            ])
        _ = try await next.erase(user: "customer-ada")
        #expect(try delivered() == ["3 customer-bob", "4 customer-bob", "5 customer-bob"])
        #expect(dependencies.diagnostics.withLock { $0 } == [])
        try await next.close()
    }

    @Test("a kill after a file is finished, and an erasure of its first lines, repeat no line")
    func finished() async throws {
        let tracker = try start([fileSink()])
        sendOfBoth(tracker)
        await tracker.flush()
        try await tracker.close()
        let name = { [folder] in folder.url.appendingPathComponent($0) }
        try FileManager.default.moveItem(at: name("out.jsonl"), to: name("out-0000000000000001.jsonl"))
        let next = try start([fileSink()])
        _ = try await next.erase(user: "customer-ada")
        try await next.close()
        let last = try start([fileSink()])
        last.send(.search(query: "x", page: 1))
        await last.flush()
        #expect(try delivered() == ["3 customer-bob", "4 customer-bob", "5 customer-bob"])
        #expect(dependencies.diagnostics.withLock { $0 } == [])
        try await last.close()
    }

    @Test("the lines of a delivery that was interrupted, and drafts of an interrupted erasure, are removed, too")
    func interruptedDelivery() async throws {
        let tracker = try start([fileSink()])
        tracker.identify("customer-bob")
        tracker.send(.search(query: "x", page: 1))
        await tracker.flush()
        try await tracker.close()
        let store = try folder.open()
        let checkpoint = try await store.cursor(of: "file:out").checkpoint
        try await store.close()
        let record = EventRecord.of("customer-ada", "marker-of-ada", seq: 2)
        _ = await fileSink().deliver(EventBatch(records: [record], checkpoint: checkpoint))
        let draft = Data("marker-of-ada".utf8)
        for name in ["out.jsonl.erasing", "out-0000000000000001.jsonl.erasing", "other.jsonl.erasing"] {
            _ = FileManager.default.createFile(atPath: folder.url.path + "/" + name, contents: draft)
        }
        let request = ErasureRequest(userIDs: ["customer-ada"], checkpoint: checkpoint)
        #expect(await fileSink().erase(request) == .done(checkpoint: checkpoint))
        #expect(try folder.files(with: "of-ada") == ["other.jsonl.erasing"])
        #expect(try delivered() == ["1 customer-bob"])
    }

    @Test("compressed files are named, and the erasure is completed once they are gone")
    func compressed() async throws {
        let tracker = try start([fileSink()])
        sendOfBoth(tracker)
        let compressed = folder.url.path + "/out-0000000000000001.jsonl.gz"
        try Data([1]).write(to: URL(fileURLWithPath: compressed))
        let result = try await tracker.erase(user: "customer-ada")
        let reason = "out-0000000000000001.jsonl.gz is compressed; decompress it or remove it"
        guard case .pending(let said)? = result.sinks["file:out"] else {
            Issue.record("\(result)")
            return
        }
        #expect(said.hasSuffix(reason) && !result.isComplete)
        #expect(try folder.files(with: "customer-ada") == ["events.sqlite.erasures"])
        unlink(compressed)
        await tracker.flush()
        try expectNoTraces()
        try await tracker.close()
    }

    /// Answers requests with the given answers, then with `done`.
    private final class Erasing: Sink {
        let name = "erasing"
        private let answers: Locked<[ErasureAnswer]>
        let requests = Locked<[ErasureRequest]>([])
        let calls = Locked<[String]>([])
        /// Delays deliveries.
        private let gate: OpeningGate?
        /// How many deliveries fail.
        private let failures: Locked<Int>

        init(_ answers: [ErasureAnswer] = [], gate: OpeningGate? = nil, failures: Int = 0) {
            self.answers = Locked(answers)
            self.gate = gate
            self.failures = Locked(failures)
        }

        func deliver(_ batch: EventBatch) async -> DeliveryResult {
            calls.withLock { $0.append("delivery begins") }
            await gate?.pass()
            calls.withLock { $0.append("delivery ends") }
            let fails = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            if fails { return .retry(after: nil, reason: "no network") }
            return .delivered(through: batch.seqs.upperBound, checkpoint: "own")
        }

        func erase(_ request: ErasureRequest) async -> ErasureAnswer {
            calls.withLock { $0.append("erasure") }
            requests.withLock { $0.append(request) }
            return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? .done(checkpoint: request.checkpoint)
        }
    }

    @Test("a sink that has not answered is asked again with the same request, by a flush and after a restart")
    func pending() async throws {
        let offline = ErasureAnswer.pending(after: .seconds(60), reason: "no network")
        let sink = Erasing([offline, offline, offline])
        let other = AcceptingSink()
        let tracker = try start([sink, other])
        sendOfBoth(tracker)
        await tracker.flush()
        let result = try await tracker.erase(user: "customer-ada")
        #expect(result.sinks == ["erasing": .pending(reason: "no network"), other.name: .unsupported])
        await tracker.flush()
        #expect(try folder.files(with: "customer-ada") == ["events.sqlite.erasures"])
        try await tracker.close()
        let next = try start([sink])
        await next.flush()
        await next.flush()
        try expectNoTraces()
        let requests = sink.requests.withLock { $0 }
        #expect(requests.count >= 4 && Set(requests.map(\.id)).count == 1)
        #expect(requests[0].userIDs.first == "customer-ada" && requests[0].checkpoint == "own")
        #expect(requests[0].installs[0].numbers == [1...2] && requests[0].installs[0].through == 4)
        try await next.close()
    }

    /// A log whose consumers another process has, as long as the test wants.
    private final class LeasedStore: ForwardingEventStore {
        let next: any EventStore
        private let isLeased: Locked<Bool>

        init(_ next: any EventStore, while isLeased: Locked<Bool>) {
            self.next = next
            self.isLeased = isLeased
        }

        func append(
            lineCapacity: Int, priority: EventPriority,
            _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }

        func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease? {
            isLeased.withLock { $0 } ? nil : try await next.beginDelivery(to: consumer, lasting: lasting, at: now)
        }
    }

    @Test("an erasure that waits for another process's delivery delivers nothing when that has ended")
    func waitingForOthers() async throws {
        let (sink, timer, isLeased) = (Erasing(), ManualTimer(), Locked(true))
        let tracker = try start([sink], timer: timer, wrapping: { LeasedStore($0, while: isLeased) })
        sendOfBoth(tracker)
        let result = try await tracker.erase(user: "customer-ada")
        #expect(result.sinks == ["erasing": .pending(reason: "another process is delivering to it")])
        isLeased.withLock { $0 = false }
        #expect(await timer.fire() == .seconds(10))
        #expect(await eventually { !FileManager.default.fileExists(atPath: folder.path + ".erasures") })
        // Waits for the sink's current run.
        _ = try await tracker.erase(user: "customer-eve")
        #expect(sink.calls.withLock { $0 } == ["erasure", "erasure"])
        try await tracker.close()
    }

    @Test("an erasure that is tried again later keeps the next attempt of a delivery that has failed")
    func failedDelivery() async throws {
        let (sink, timer) = (Erasing([.pending(after: .seconds(60), reason: "no network")], failures: 1), ManualTimer())
        let tracker = try start([sink], timer: timer)
        sendOfBoth(tracker)
        await tracker.flush()
        #expect(try await !tracker.erase(user: "customer-ada").isComplete)
        // Also the sink's deadlines. It ends with the process, as do sleepers.
        Task { while await dependencies.pass(timer) != nil {} }
        #expect(await eventually { sink.calls.withLock { $0.count { $0 == "delivery ends" } } == 2 })
        try await tracker.close()
    }

    @Test("a sink is asked after a delivery that has begun, which may have the user's events")
    func inFlight() async throws {
        let gate = OpeningGate()
        let sink = Erasing(gate: gate)
        let tracker = try start([sink])
        sendOfBoth(tracker)
        async let flush: Void = tracker.flush()
        #expect(await eventually { sink.calls.withLock { !$0.isEmpty } })
        async let result = tracker.erase(user: "customer-ada")
        #expect(await eventually { FileManager.default.fileExists(atPath: folder.path + ".erasures") })
        gate.open()
        #expect(try await result.isComplete)
        await flush
        let calls = sink.calls.withLock { $0 }
        #expect(calls.prefix(3) == ["delivery begins", "delivery ends", "erasure"])
        try expectNoTraces()
        try await tracker.close()
    }

    private func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < end { await Task.yield() }
        return condition()
    }

    @Test("waits for the log, together with earlier calls; throws if the log can't be opened")
    func opening() async throws {
        let gate = OpeningGate()
        let sink = Erasing()
        let tracker = try start([sink], waiting: gate)
        sendOfBoth(tracker)
        async let result = tracker.erase(user: "customer-ada")
        await Task.yield()
        gate.open()
        #expect(try await result.sinks == ["erasing": .done])
        try expectNoTraces()
        try await tracker.close()
        let failing = try start([], fails: true)
        await #expect(throws: OpeningFailure.self) { try await failing.erase(user: "customer-ada") }
    }

    @Test("another user stays signed in; an id that no event can have is ignored; answers stay")
    func others() async throws {
        let tracker = try start([])
        tracker.identify("customer-ada")
        try await tracker.setConsent(.denied)
        sendOfBoth(tracker)
        _ = try await tracker.erase(user: "customer-ada")
        #expect(tracker.userID == "customer-bob")
        #expect(try await tracker.erase(user: "") == ErasureResult(sinks: [:]))
        try expectNoTraces()
        tracker.identify("customer-ada")
        #expect(tracker.consent.value == .denied && tracker.consent.isAnswered)
        try await tracker.close()
    }

    @Test("events before the sign-in are the user's, too")
    func anonymous() async throws {
        let tracker = try start([fileSink()])
        tracker.send(.search(query: "anonymous-of-ada", page: 1))
        tracker.identify("customer-ada")
        await tracker.flush()
        _ = try await tracker.erase(user: "customer-ada")
        #expect(try delivered() == [])
        try expectNoTraces()
        try await tracker.close()
    }

    @Test("a recording loses the user's entries, and continues")
    func recording() async throws {
        let path = folder.url.path + "/actions.jsonl"
        for isPrevious in [true, false] {
            let recorder = try ActionRecorder(path: path, app: "Test 1.0")
            let environment = try TrackingEnvironment<Screen>.live(
                log: dependencies.log, storage: InMemoryKeyValueStorage(), clock: dependencies.clock,
                timer: ManualTimer(), ids: RandomTrackingIDs(), sinks: [], flushPolicy: .manual, context: nil,
                recording: recorder.environment(), diagnostics: { _ in })
            sendOfBoth(environment.tracking)
            guard !isPrevious else {
                recorder.close()
                continue
            }
            #expect(try folder.files(with: "of-ada").count == 2)
            _ = try await environment.tracking.erase(user: "customer-ada")
            environment.tracking.send(.search(query: "later", page: 1))
            #expect(recorder.status == .recording)
            recorder.close()
        }
        try expectNoTraces()
        #expect(try folder.files(with: "marker-of-bob").count == 2)
        #expect(try folder.files(with: "later") == ["actions.jsonl"])
    }
}

extension TestDependencies {
    fileprivate func device(of tracker: Tracker) -> String {
        TrackingEnvironment<Route>(tracker).device.store.state.deviceID
    }
}
