import CollectorFixtures
import DeliveryProtocol
import Foundation
import GRDB
import Primitives
import Testing

@testable import CollectorStore

@Suite("One sync for a group of submissions")
struct GroupCommitTests {
    private let folder: DataFolder
    private let files = FaultyFiles()

    init() throws { folder = try DataFolder() }

    /// Holds the next syncs of a segment, each until the semaphore is signalled.
    private func holdNextSync(_ reached: DispatchSemaphore, _ goOn: DispatchSemaphore, count: Int = 1) {
        let left = Locked(count)
        files.set(.sync) { _ in
            guard
                left.withLock({ left in
                    left -= 1
                    return left >= 0
                })
            else { return nil }
            reached.signal()
            return .wait(goOn)
        }
    }

    private func waitFor(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test("Submissions during a sync share the next one, and no response precedes its sync")
    func shared() async throws {
        let files = files
        let store = try folder.open { $0.files = files }
        _ = try await store.submit(Phone("warm-up").batch(1, 1...1))
        files.forget()
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        holdNextSync(reached, goOn)
        let answered = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await store.submit(Phone("first").batch(1, 1...1))
                answered.withLock { $0 += 1 }
            }
            await waitFor(reached)
            // The thread that writes is in the sync. Ten more are queued, and seen to be.
            for number in 0..<10 {
                group.addTask {
                    _ = try await store.submit(Phone("phone-\(number)").batch(1, 1...5))
                    answered.withLock { $0 += 1 }
                }
            }
            while store.queuedSubmissions < 10 { await Task.yield() }
            #expect(answered.withLock { $0 } == 0)
            #expect(files.count(.sync) == 1)
            goOn.signal()
            try await group.waitForAll()
        }
        #expect(files.sequence == ["write", "sync", "write", "sync"].map { "\($0) 0000000001.segment" })
        await store.close()
        #expect(try folder.storedLines().count == 52)
    }

    @Test("Acknowledged lines can be read, even while the index waits for later groups")
    func readingUnderLoad() async throws {
        let files = files
        let store = try folder.open { options in
            (options.files, options.maximumIndexLag, options.indexPause) = (files, .seconds(600), .seconds(600))
        }
        _ = try await store.submit(Phone("warm-up").batch(1, 1...1))
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        holdNextSync(reached, goOn, count: 2)
        let first = Task { try await store.submit(Phone("first").batch(1, 1...3)) }
        await waitFor(reached)
        let second = Task { try await store.submit(Phone("second").batch(1, 1...1)) }
        while store.queuedSubmissions < 1 { await Task.yield() }
        goOn.signal()
        #expect(try await first.value.receipt?.stored == [1...3])
        await waitFor(reached)
        // The second group is in its sync, and the first one is not committed in the index.
        let reader = Task.detached { try store.install("first") }
        // On a separate thread, because the other tests keep the tasks' threads busy.
        let hasWaited = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let deadline = ContinuousClock.now + .seconds(30)
                while !store.index.lag.isWaitedFor, ContinuousClock.now < deadline { usleep(1000) }
                let hasWaited = store.index.lag.isWaitedFor
                goOn.signal()
                continuation.resume(returning: hasWaited)
            }
        }
        #expect(hasWaited)
        #expect(try await reader.value?.highest == 3)
        #expect(try await second.value.receipt?.stored == [1...1])
        await store.close()
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test("A reader sees acknowledged lines without waiting for the pause after which the index is committed")
    func readingInPause() async throws {
        let store = try folder.open { options in
            (options.maximumIndexLag, options.indexPause) = (.seconds(600), .seconds(600))
        }
        for batch in 1...20 {
            let seqs = Int64(batch)...Int64(batch)
            _ = try await store.submit(Phone("install-a").batch(batch, seqs))
            #expect(try await Task.detached { try store.install("install-a")?.highest }.value == Int64(batch))
        }
        await store.close()
    }

    @Test("The index is committed after a pause, also without a reader")
    func pause() async throws {
        let store = try folder.open { options in
            // The second batch follows sooner.
            (options.maximumIndexLag, options.indexPause) = (.seconds(600), .seconds(2))
        }
        for batch in 1...2 { _ = try await store.submit(Phone("install-\(batch)").batch(1, 1...1)) }
        let index = try DatabaseQueue(path: folder.path + "/index.sqlite")
        let count = { try await index.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM batches") } }
        let deadline = ContinuousClock.now + .seconds(60)
        while try await count() != 2, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await count() == 2)
        await store.close()
    }

    @Test("Submissions of a group see each other: the same numbers are stored once")
    func sameGroup() async throws {
        let files = files
        let store = try folder.open { $0.files = files }
        let phone = Phone("install-a")
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        _ = try await store.submit(Phone("warm-up").batch(1, 1...1))
        holdNextSync(reached, goOn)
        async let first = store.submit(Phone("first").batch(1, 1...1))
        await waitFor(reached)
        var outcomes: [Task<SubmissionOutcome, any Error>] = []
        let submissions = [
            phone.batch(1, 1...5), phone.batch(1, 1...5), phone.batch(2, 4...8),
            phone.batch(3, 1...9, variant: "clone"),
            Phone("install-a", secret: String(repeating: "0", count: 32)).batch(4, 1...1),
            phone.batch(1, 1...6),
        ]
        for (index, submission) in submissions.enumerated() {
            outcomes.append(Task { try await store.submit(submission) })
            while store.queuedSubmissions <= index { await Task.yield() }
        }
        goOn.signal()
        _ = try await first
        var answers: [SubmissionOutcome] = []
        for outcome in outcomes { answers.append(try await outcome.value) }
        let receipt = try #require(answers[0].receipt)
        #expect(receipt.stored == [1...5])
        #expect(answers[1] == .accepted(receipt, isRepeat: true))
        #expect(answers[2].receipt?.duplicates == [4...5])
        #expect(answers[2].receipt?.stored == [4...8])
        #expect(answers[3] == .fork(acknowledged: [], forked: [1...8]))
        #expect(answers[4] == .installTaken)
        #expect(answers[5] == .keyReused)
        await store.close()
        #expect(try folder.storedLines().filter { $0.hasPrefix("install-a") }.count == 8)
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test("An error of one submission is its own outcome: the others of its group are stored")
    func oneFails() async throws {
        let files = files
        let store = try folder.open { $0.files = files }
        let phones = ["a", "b", "c"].map { Phone("install-\($0)") }
        for phone in phones { _ = try await store.submit(phone.batch(1, 1...2)) }
        // A row that contradicts the others: the next batch of install-b violates a constraint.
        try await store.onWriter { core in
            try core.index.write {
                try core.index.connection.run(
                    "INSERT INTO runs SELECT id, 3, 3, 1, 0, 0 FROM installs WHERE install = 'install-b'")
            }
        }
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        holdNextSync(reached, goOn)
        async let first = store.submit(Phone("first").batch(1, 1...1))
        await waitFor(reached)
        var outcomes: [Task<SubmissionOutcome, any Error>] = []
        for (index, phone) in phones.enumerated() {
            outcomes.append(Task { try await store.submit(phone.batch(2, 3...6)) })
            while store.queuedSubmissions <= index { await Task.yield() }
        }
        goOn.signal()
        _ = try await first
        var answers: [Result<SubmissionOutcome, any Error>] = []
        for outcome in outcomes { answers.append(await outcome.result) }
        let receipts = answers.map { try? $0.get().receipt }
        #expect(receipts.map { $0?.stored } == [[3...6], nil, [3...6]])
        #expect(receipts.map { $0?.name.number } == [5, nil, 6])
        #expect(throws: StoreError.self) { try answers[1].get() }
        try await store.onWriter { core in
            try core.index.write { try core.index.connection.run("DELETE FROM runs WHERE hash = 0") }
        }
        #expect(try await store.submit(phones[1].batch(2, 3...6)).receipt?.stored == [3...6])
        await store.close()
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test(
        "Sources have turns: many expensive batches of one install delay those of others by one batch",
        arguments: [Duration.seconds(600), .zero])
    func turns(maximumGroupTime: Duration) async throws {
        let files = files
        let store = try folder.open { ($0.files, $0.maximumGroupTime) = (files, maximumGroupTime) }
        _ = try await store.submit(Phone("warm-up").batch(1, 1...1))
        files.forget()
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        holdNextSync(reached, goOn)
        var tasks = [Task { try await store.submit(Phone("first").batch(1, 1...1)) }]
        await waitFor(reached)
        let row = BatchHeader.LedgerRow(reason: "evicted", seqs: 1...1, count: 1)
        let submissions =
            (1...20).map { number in
                let seq = Int64(number)
                return Phone("flood").batch(
                    number, seq...seq, missing: [.init(seq...seq, .dropped)], ledger: Array(repeating: row, count: 1000)
                )
            } + (1...2).map { Phone("quiet").batch($0, Int64($0)...Int64($0)) }
        for (index, submission) in submissions.enumerated() {
            tasks.append(Task { try await store.submit(submission) })
            while store.queuedSubmissions <= index { await Task.yield() }
        }
        goOn.signal()
        for task in tasks { #expect(try await task.value.receipt != nil) }
        await store.close()
        var installs: [String] = []
        try folder.forEachBatch { _, batch in installs.append(batch.installID) }
        #expect(
            installs == ["warm-up", "first", "flood", "quiet", "flood", "quiet"] + Array(repeating: "flood", count: 18))
        // Four batches of the install in each group; without time, one batch.
        #expect(files.count(.sync) == (maximumGroupTime == .zero ? 1 + 22 : 1 + 5))
    }

    @Test("A segment and its name are synced before its first frame")
    func newSegment() async throws {
        let files = files
        try await folder.with({ options in
            options.files = files
            options.segmentBytes = 2000
        }) { store in
            files.forget()
            for batch in 1...4 {
                let first = Int64(batch * 10)
                _ = try await store.submit(Phone("a").batch(batch, first...first + 5))
            }
        }
        #expect(files.sequence.first == "create 0000000001.segment.draft")
        #expect(files.sequence.filter { $0.hasPrefix("create") }.count > 1)
        for (index, call) in files.sequence.enumerated() where call.hasPrefix("create") {
            let draft = String(call.dropFirst("create ".count))
            let name = draft.dropLast(".draft".count)
            #expect(
                Array(files.sequence[index...].prefix(7))
                    == [
                        call, "write \(draft)", "sync \(draft)", "rename \(draft)", "syncFolder segments",
                        "write \(name)", "sync \(name)",
                    ])
        }
    }

    @Test("Submissions above the queue's limit are rejected, and queued submissions are stored")
    func overload() async throws {
        let files = files
        let store = try folder.open { options in
            options.files = files
            options.maximumQueuedBytes = 10_000
        }
        _ = try await store.submit(Phone("warm-up").batch(1, 1...1))
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        holdNextSync(reached, goOn)
        async let first = store.submit(Phone("first").batch(1, 1...1))
        await waitFor(reached)
        let waiting = Task { try await store.submit(Phone("second").batch(1, 1...40)) }
        while store.queuedSubmissions < 1 { await Task.yield() }
        #expect(await store.failure(of: Phone("third").batch(1, 1...40)) == .overloaded)
        goOn.signal()
        _ = try await first
        #expect(try await waiting.value.receipt?.stored == [1...40])
        // There is room again.
        #expect(try await store.submit(Phone("third").batch(1, 1...40)).receipt?.stored == [1...40])
        await store.close()
    }

    @Test("After closing, submissions fail, and another store can open the folder")
    func closing() async throws {
        let store = try folder.open()
        do {
            _ = try folder.open()
            Issue.record("two stores have one folder")
        } catch let error as StoreError { #expect(error.code == .inUse) }
        await store.close()
        await store.close()
        #expect(await store.failure(of: Phone("a").batch(1, 1...1)) == .closed)
        try await folder.with { store in
            let receipt = try await store.submit(Phone("a").batch(1, 1...1)).receipt
            #expect(receipt?.name.number == 1)
        }
    }
}
