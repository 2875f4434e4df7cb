import CollectorFixtures
import CommandRunner
import DeliveryProtocol
import Foundation
import Primitives
import Testing

@testable import CollectorStore

@Suite("Disk errors")
struct DiskErrorTests {
    private let folder: DataFolder
    private let files = FaultyFiles()
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    @Test("An unfinished new segment is not damage", arguments: [0, 40, 80])
    func unfinishedSegment(bytes: Int) async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            // As after SIGKILL: a part is written, and nothing removes it.
            files.set(.write) { $0.contains(".segment") ? .partial(bytes, EIO) : nil }
            files.set(.remove) { _ in .error(EIO) }
            await #expect(throws: StoreError.self) { try await store.submit(phone.batch(1, 1...5)) }
        }
        try await folder.with { store in
            #expect(store.openingFindings.filter { $0.severity != .note } == [])
            let answer = try await store.submit(phone.batch(1, 1...5))
            #expect(answer.receipt?.stored == [1...5])
        }
        #expect(try folder.segments().count == 1)
    }

    /// The error of a group's write.
    enum Failure: String, CaseIterable {
        case writeError, writeNoSpace, partialWrite, syncError, syncErrorAfterwards

        func apply(to files: FaultyFiles) {
            switch self {
            case .writeError: files.set(.write) { _ in .error(EIO) }
            case .writeNoSpace: files.set(.write) { _ in .error(ENOSPC) }
            case .partialWrite: files.set(.write) { _ in .partial(300, ENOSPC) }
            case .syncError: files.set(.sync) { _ in .error(EIO) }
            case .syncErrorAfterwards: files.set(.sync) { _ in .afterwards(EIO) }
            }
        }

        var code: StoreError.Code { self == .writeNoSpace || self == .partialWrite ? .diskFull : .writeFailed }
    }

    @Test(
        "After an error, the submission fails, the segment is closed, and a retry is stored once",
        arguments: Failure.allCases)
    func failing(failure: Failure) async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            let before = try await store.submit(phone.batch(1, 1...5)).receipt
            failure.apply(to: files)
            #expect(await store.failure(of: phone.batch(2, 6...9)) == failure.code)
            files.set(.write, nil)
            files.set(.sync, nil)
            files.forget()
            let retry = try await store.submit(phone.batch(2, 6...9)).receipt
            #expect(retry?.stored == [6...9])
            #expect(retry?.duplicates == [])
            #expect(retry?.name.number == 2)
            // Acknowledged events are still known.
            #expect(
                try await store.submit(phone.batch(1, 1...5)) == .accepted(try #require(before), isRepeat: true))
            #expect(!files.sequence.contains { $0.hasSuffix("0000000001.segment") })
        }
        let expected = (1...9 as ClosedRange<Int64>).map { "install-a \($0) \(phone.line($0))" }
        #expect(try folder.storedLines() == expected)
        try await folder.with { store in #expect(store.openingFindings == []) }
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
        #expect(try folder.storedLines() == expected)
    }

    @Test("If a group's sync fails, all its submissions fail, including repeats")
    func wholeGroup() async throws {
        let files = files
        // The previous group is acknowledged but not committed in the index when the next group fails.
        let store = try folder.open { options in
            (options.files, options.maximumIndexLag, options.indexPause) = (files, .seconds(600), .seconds(600))
        }
        _ = try await store.submit(phone.batch(1, 1...1))
        let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = Locked(0)
        files.set(.sync) { _ in
            let call = count.withLock { count in
                count += 1
                return count
            }
            if call == 1 {
                reached.signal()
                return .wait(goOn)
            }
            return .error(EIO)
        }
        let first = Task { try await store.submit(phone.batch(2, 2...2)) }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                reached.wait()
                continuation.resume()
            }
        }
        var group: [Task<SubmissionOutcome, any Error>] = []
        for submission in [phone.batch(3, 3...5), phone.batch(3, 3...5), phone.batch(4, 3...3, variant: "clone")] {
            group.append(Task { try await store.submit(submission) })
            while store.queuedSubmissions < group.count { await Task.yield() }
        }
        goOn.signal()
        #expect(try await first.value.receipt?.stored == [2...2])
        for task in group {
            let result = await task.result
            #expect(throws: StoreError.self) { try result.get() }
        }
        // The previous group's part of the index's open transaction can be read, although nothing was accepted since.
        let deadline = ContinuousClock.now + .seconds(60)
        while try store.install("install-a")?.highest != 2, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try store.install("install-a")?.highest == 2)
        files.set(.sync, nil)
        // The clone was judged by events that were not stored; now it is the first.
        #expect(try await store.submit(phone.batch(4, 3...3, variant: "clone")).receipt?.stored == [3...3])
        await store.close()
        #expect(try folder.storedLines().count == 3)
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test(
        "If a segment can't be created, the submission fails; the next attempt creates another",
        arguments: [true, false])
    func creating(inFolder: Bool) async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            let call: FaultyFiles.Call = inFolder ? .syncFolder : .sync
            files.set(call) { _ in .error(EIO) }
            files.set(.remove) { _ in .error(EIO) }
            for _ in 0..<2 {
                #expect(await store.failure(of: phone.batch(1, 1...3)) == .writeFailed)
            }
            files.set(call, nil)
            let receipt = try await store.submit(phone.batch(1, 1...3)).receipt
            #expect(receipt?.stored == [1...3])
        }
        #expect(try folder.segments().last == "segments/0000000003.segment")
        try await folder.with { store in
            let receipt = try await store.submit(phone.batch(1, 1...3)).receipt
            #expect(receipt?.name.number == 1)
        }
        #expect(try folder.storedLines().count == 3)
    }

    @Test("A failed group's bytes never count, even if the next segment's file could not be created at first")
    func revival() async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            _ = try await store.submit(phone.batch(1, 1...2))
            files.set(.sync) { _ in .afterwards(EIO) }
            files.set(.remove) { _ in .error(EIO) }
            for _ in 0..<3 { #expect(await store.failure(of: phone.batch(2, 3...4)) == .writeFailed) }
            files.set(.sync, nil)
            // Other bytes with the numbers of the failed group.
            _ = try await store.submit(phone.batch(3, 3...4, variant: "later"))
        }
        let expected =
            ([1, 2] as [Int64]).map { "install-a \($0) \(phone.line($0))" }
            + ([3, 4] as [Int64]).map { "install-a \($0) \(phone.line($0, variant: "later"))" }
        #expect(try folder.storedLines() == expected)
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test("After a crash, a failed group's complete bytes count exactly once")
    func unacknowledgedTail() async throws {
        let (files, copy) = (files, try DataFolder())
        let folder = folder
        try await folder.with({ $0.files = files }) { store in
            _ = try await store.submit(phone.batch(1, 1...2))
            files.set(.sync) { _ in .afterwards(EIO) }
            #expect(await store.failure(of: phone.batch(2, 3...4)) == .writeFailed)
            // The collector ends here, so no later segment limits the valid length.
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            files.set(.sync, nil)
        }
        try await copy.with { store in
            let retry = try await store.submit(phone.batch(2, 3...4))
            guard case .accepted(let receipt, isRepeat: true) = retry else {
                Issue.record("\(retry)")
                return
            }
            #expect(receipt.stored == [3...4])
        }
        #expect(try copy.storedLines().count == 4)
    }

    @Test("Short writes are completed")
    func shortWrites() async throws {
        let files = files
        files.set(.write) { _ in .short(7) }
        try await folder.with({ $0.files = files }) { store in
            let receipt = try await store.submit(phone.batch(1, 1...20)).receipt
            #expect(receipt?.stored == [1...20])
        }
        #expect(try folder.storedLines().count == 20)
    }

    @Test("A full disk is reported, and writing continues when space is free", .enabled(if: SmallDisk.isAvailable))
    func realFullDisk() async throws {
        let disk = try await SmallDisk(kilobytes: 2048)
        let folder = DataFolder(path: disk.path + "/data")
        try await folder.with { store in
            var stored = 0
            var failure: StoreError.Code?
            let big = Phone("install-b", user: { _ in String(repeating: "u", count: 2000) })
            for batch in 1...1000 where failure == nil {
                let first = Int64(batch * 20 - 19)
                failure = await store.failure(of: big.batch(batch, first...first + 19))
                if failure == nil { stored = batch }
            }
            #expect(failure == .diskFull)
            #expect(stored > 0)
            try await disk.resize(kilobytes: 16_384)
            let next = Int64(stored * 20 + 1)
            let receipt = try await store.submit(big.batch(stored + 1, next...next + 19)).receipt
            #expect(receipt?.stored == [next...next + 19])
            #expect(receipt?.missing == [])
        }
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }
}
