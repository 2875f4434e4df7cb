import CollectorFixtures
import DeliveryProtocol
import EventModel
import Foundation
import Primitives
import Testing

@testable import CollectorStore

@Suite("Retention")
struct RetentionTests {
    private let folder: DataFolder
    private let files = FaultyFiles()
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    /// A segment for each batch; batch n of install-a arrived n hours after 1970.
    private func open() throws -> BatchStore {
        let files = files
        return try folder.open { options in
            options.files = files
            options.segmentBytes = 1
            options.now = { .init(seconds: 10 * 3600) }
        }
    }

    private func fill(_ store: BatchStore, batches: Int = 8) async throws {
        for batch in 1...batches {
            let first = Int64(batch * 10 - 9)
            _ = try await store.submit(
                phone.batch(
                    batch, first...first + 9, missing: [.init(first + 1...first + 1, .dropped)],
                    at: Int64(batch) * 3_600_000_000))
        }
    }

    @Test("A clock that is set ahead removes nothing early", arguments: [7200, 10_800, 172_800, 631_152_000])
    func clockAhead(step: Int64) async throws {
        let (now, uptime) = (Locked(EventTime(seconds: 10 * 3600)), Locked(ContinuousClock.now))
        let store = try folder.open { options in
            options.segmentBytes = 1
            options.now = { now.withLock { $0 } }
            options.uptime = { uptime.withLock { $0 } }
        }
        try await fill(store)
        now.withLock { $0 = $0.advanced(by: .seconds(step)) }
        // An hour is within the tolerance.
        let age = StoreRetention(maximumAge: .seconds(11 * 3600))
        #expect(try await store.enforce(age).segments == 0)
        now.withLock { $0 = EventTime(seconds: -step) }
        #expect(try await store.enforce(age).segments == 0)
        now.withLock { $0 = EventTime(seconds: 14 * 3600) }
        uptime.withLock { $0 = $0.advanced(by: .seconds(4 * 3600)) }
        #expect(try await store.enforce(age).segments == 2)
        await store.close()
    }

    @Test("Old segments are removed; their numbers and range hashes stay")
    func age() async throws {
        let store = try open()
        try await fill(store)
        let (before, hashes) = (try store.install("install-a"), try store.rangeHashes(of: "install-a"))
        let report = try await store.enforce(.init(maximumAge: .seconds(4 * 3600 + 1)))
        #expect(report.segments == 5)
        #expect(try store.lines(after: .start, limit: 1000).lines.map(\.cursor.seq).first == 51)
        #expect(try store.install("install-a") == before)
        #expect(try store.rangeHashes(of: "install-a") == hashes)
        #expect(try store.batches().map(\.receipt) == [6, 7, 8])
        #expect(try await store.enforce(.init(maximumAge: .seconds(4 * 3600 + 1))) == RetentionReport())
        #expect(try await store.doctor() == [])
        // The same numbers, and the next ones.
        let again = try await store.submit(phone.batch(20, 1...10)).receipt
        #expect(again?.unverified == [1...1, 3...10])
        #expect(again?.missing == [])
        // Number 2 had been dropped, and is stored now.
        #expect(again?.stored == [1...10])
        await store.close()
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test("The oldest segments are removed down to the size limit, but never the current segment")
    func size() async throws {
        let store = try folder.open { options in
            options.segmentBytes = 3000
            options.now = { .init(seconds: 0) }
        }
        for batch in 1...12 {
            _ = try await store.submit(phone.batch(batch, Int64(batch * 10 - 9)...Int64(batch * 10)))
        }
        _ = try await store.enforce(.init(maximumBytes: 8000))
        let sizes = try folder.segments().map { try folder.bytes($0).count }
        #expect(sizes.reduce(0, +) <= 8000)
        #expect(sizes.count > 1)
        _ = try await store.enforce(.init(maximumBytes: 0))
        // The segment that was written, and one more if that became full.
        #expect(try folder.segments().count <= 2)
        #expect(try store.install("install-a")?.ranges(.stored) == [1...120])
        await store.close()
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    /// What a repeated number is whose bytes are gone. Its receipt had number 3.
    @Test(
        "A number with expired bytes is a fork only if the client's last receipt is older",
        arguments: [(2, true, true), (3, true, false), (7, true, false), (2, false, false), (nil, true, false)]
            as [(Int64?, Bool, Bool)])
    func goneBytes(named: Int64?, ours: Bool, isFork: Bool) async throws {
        let store = try open()
        try await fill(store)
        _ = try await store.enforce(.init(maximumAge: .seconds(4 * 3600 + 1)))
        let collector = ours ? store.collectorID.description : String(repeating: "0", count: 32)
        let receipt = named.map { ReceiptName(collector: collector, number: $0) }
        let outcome = try await store.submit(phone.batch(50, 23...25, receipt: receipt))
        if isFork {
            #expect(outcome == .fork(acknowledged: [], forked: [23...25]))
        } else {
            #expect(outcome.receipt?.unverified == [23...25])
            #expect(outcome.receipt?.duplicates == [])
        }
        await store.close()
    }

    @Test("Secrets and forks outlive their segment")
    func secrets() async throws {
        let store = try open()
        try await fill(store)
        _ = try await store.submit(phone.batch(60, 79...80, variant: "clone"))
        _ = try await store.enforce(.init(maximumBytes: 0))
        _ = try await store.enforce(.init(maximumAge: .zero))
        await store.close()
        try folder.removeIndex()
        let reopened = try open()
        let thief = Phone("install-a", secret: String(repeating: "0", count: 32))
        #expect(try await reopened.submit(thief.batch(1, 81...81)) == .installTaken)
        #expect(try reopened.install("install-a")?.forks.map(\.forked) == [[79...80]])
        // Receipts continue to ascend.
        let next = try #require(try await reopened.submit(phone.batch(61, 81...81)).receipt)
        #expect(next.name.number > 9)
        await reopened.close()
    }

    @Test("What is kept of an install outlives the segment that kept it")
    func expiredExpiry() async throws {
        let store = try open()
        try await fill(store, batches: 2)
        let other = Phone("install-b")
        for hour in 3...9 {
            _ = try await store.enforce(.init(maximumBytes: 0))
            _ = try await store.submit(
                other.batch(hour, Int64(hour)...Int64(hour), at: Int64(hour) * 3_600_000_000))
        }
        _ = try await store.enforce(.init(maximumBytes: 0))
        let hashes = try store.rangeHashes(of: "install-a")
        await store.close()
        // Which segments have expired is forgotten with their expiry frames.
        let kept = try folder.indexContent().filter { !$0.hasPrefix("expired") }
        #expect(try await folder.rebuiltIndexContent().filter { !$0.hasPrefix("expired") } == kept)
        let reopened = try open()
        #expect(try reopened.rangeHashes(of: "install-a") == hashes)
        #expect(try reopened.install("install-a")?.highest == 20)
        await reopened.close()
    }

    @Test("If a collector ends before it removes a file, the next opening removes the file")
    func interrupted() async throws {
        let store = try open()
        try await fill(store)
        files.set(.remove) { _ in .error(EIO) }
        await #expect(throws: (any Error).self) {
            _ = try await store.enforce(.init(maximumAge: .seconds(8 * 3600 + 1)))
        }
        await store.close()
        files.set(.remove, nil)
        #expect(try folder.segments().first == "segments/0000000001.segment")
        // The same with an index that is rebuilt from the segment and from its expiry frame.
        let copy = try DataFolder()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        try copy.removeIndex()
        var contents: [[String]] = []
        for folder in [folder, copy] {
            try await folder.with { store in
                #expect(store.openingFindings == [])
                let receipts = try store.batches().map(\.receipt)
                #expect(receipts == Array(2...8))
            }
            #expect(try folder.segments().first == "segments/0000000002.segment")
            contents.append(try folder.indexContent())
        }
        #expect(contents[0] == contents[1])
    }

    @Test("What is kept of an install does not grow with its batches")
    func mergedRuns() async throws {
        let store = try open()
        for batch in 1...100 { _ = try await store.submit(phone.batch(batch, Int64(batch)...Int64(batch))) }
        let hashes = try store.rangeHashes(of: "install-a")
        _ = try await store.enforce(.init(maximumBytes: 0))
        #expect(try store.rangeHashes(of: "install-a") == hashes)
        // The oldest are put together under their last receipt: an older client's repetition of the first is a fork.
        let collector = store.collectorID.description
        let old = try await store.submit(
            phone.batch(200, 1...1, receipt: ReceiptName(collector: collector, number: 2)))
        #expect(old == .fork(acknowledged: [], forked: [1...1]))
        let current = try await store.submit(
            phone.batch(201, 1...1, receipt: ReceiptName(collector: collector, number: 90)))
        #expect(current.receipt?.unverified == [1...1])
        await store.close()
        let runs = try folder.indexContent().filter { $0.hasPrefix("run ") }
        #expect(runs.count == IndexWriter.exactRuns + 1)
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }
}
