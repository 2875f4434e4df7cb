import CollectorFixtures
import DeliveryProtocol
import EventModel
import Foundation
import Testing

@testable import CollectorStore

@Suite("Erasing a user for an install")
struct InstallErasureTests {
    private static let marker = "marked-user-7f3a"
    private let folder: DataFolder
    private let files = FaultyFiles()
    /// Every fourth event is the marked user's.
    private let phone = Phone("install-a", user: { $0 % 4 == 0 ? marker : "other-user" })

    init() throws { folder = try DataFolder() }

    private func fill(_ store: BatchStore) async throws {
        _ = try await store.submit(phone.batch(1, 1...10))
        _ = try await store.submit(phone.batch(2, 11...20, rejecting: [12, 13]))
        _ = try await store.submit(Phone("install-b", user: phone.user).batch(1, 1...10))
    }

    /// The files that contain the marked user's id.
    private func holders() throws -> [String] {
        try folder.allFiles().filter { try folder.bytes($0).firstRange(of: Array(Self.marker.utf8)) != nil }
    }

    private func seqs(_ store: BatchStore, of install: String = "install-a") throws -> [Int64] {
        try store.lines(after: .start, .init(installID: install), limit: 10_000).lines.map(\.cursor.seq)
    }

    private func erase(_ store: BatchStore, _ request: InstallErasure) async throws -> ErasureReceipt {
        let outcome = try await store.erase(request, receivedAt: .init(microseconds: 2_000_000))
        guard case .accepted(let receipt, _) = outcome else {
            Issue.record("\(outcome)")
            throw CocoaError(.featureUnsupported)
        }
        return receipt
    }

    private func expectSameIndexAfterRebuild() async throws {
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test("From the answer on, nothing returns the user's events; the next round removes their bytes")
    func erased() async throws {
        let others = (1...20).filter { $0 % 4 != 0 && $0 != 13 }.map { Int64($0) }
        try await folder.with({ $0.segmentBytes = 3000 }) { store in
            try await fill(store)
            let all = try seqs(store, of: "install-b")
            let receipt = try await erase(store, phone.erasure(1, of: Self.marker, through: 20, numbers: [1...20]))
            // 4, 8, 16 and 20 are stored; 12 and 13 were rejected.
            #expect(
                receipt
                    == ErasureReceipt(
                        name: .init(collector: "\(store.collectorID)", number: 4), installID: "install-a",
                        id: Phone.id(1), through: 20, marked: 6, events: 4, kept: 14))
            #expect(try seqs(store) == others)
            #expect(
                try store.lines(after: .start, .init(user: Self.marker)).lines.map(\.installID) == [
                    "install-b", "install-b",
                ])
            #expect(try seqs(store, of: "install-b") == all)
            for batch in try store.wholeBatches(after: 0).batches where batch.installID == "install-a" {
                for row in batch.rows {
                    switch row.content {
                    case .line(let line): #expect(line.user != Self.marker)
                    case .rejected(let rejection, let bytes): #expect((bytes == nil) == (rejection.seq == 12))
                    case .duplicates, .held: break
                    }
                }
            }
            #expect(try store.rejects().map { $0.bytes == nil } == [true, false])
            let summary = try #require(try store.install("install-a"))
            #expect(summary.ranges(.erased) == [4...4, 8...8, 12...13, 16...16, 20...20])
            #expect(summary.missing == [])
            #expect(try store.hasPendingErasures())
            // The bytes are still there, and go with the next round.
            #expect(try !holders().isEmpty)
            #expect(try await store.doctor().map(\.code) == [.erasurePending])
            let report = try await store.eraseReported()
            #expect(report.lines == 4 && report.rejects == 1)
            #expect(try !store.hasPendingErasures())
            #expect(try await store.eraseReported() == ErasureReport())
            #expect(try await store.doctor() == [])
            #expect(try seqs(store) == others && seqs(store, of: "install-b") == all)
            // The marked user has events of the other install.
            for file in try holders() {
                #expect(!(try folder.bytes(file).firstRange(of: Array("\"install-a\",\"seq\":4,".utf8)) != nil))
            }
            #expect(try store.rejects().map { $0.bytes == nil } == [true, false])
        }
        #expect(try folder.storedLines().allSatisfy { !($0.hasPrefix("install-a") && $0.contains(Self.marker)) })
        try await expectSameIndexAfterRebuild()
    }

    @Test("After the round, no file contains the user's id")
    func goneFromFiles() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            _ = try await store.submit(phone.batch(2, 11...20, rejecting: [12, 13]))
            _ = try await erase(store, phone.erasure(1, of: Self.marker))
            #expect(try !holders().isEmpty)
            _ = try await store.eraseReported()
            #expect(try holders() == [])
        }
        #expect(try holders() == [])
        try await expectSameIndexAfterRebuild()
        #expect(try holders() == [])
    }

    @Test("A request for lines that a batch has already reported as erased removes their bytes, too")
    func reportedBefore() async throws {
        let report: [BatchHeader.LedgerRow] = [
            .init(reason: "erased", seqs: 4...4, count: 1), .init(reason: "erased", seqs: 8...8, count: 1),
        ]
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            _ = try await store.submit(phone.batch(2, 11...11, ledger: report))
            #expect(try store.install("install-a")?.ranges(.erased) == [4...4, 8...8])
            #expect(try [store.hasErasedBytes(), store.hasPendingErasures()] == [true, false])
            let receipt = try await erase(store, phone.erasure(1, of: Self.marker, through: 11))
            #expect(receipt.events == 0)
            #expect(try store.hasPendingErasures())
            #expect(try await store.eraseReported().lines == 2)
            #expect(try holders() == [])
            #expect(try !store.hasErasedBytes())
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test("A request costs one small write and one sync, however many events it erases")
    func cheap() async throws {
        let phone = Phone("install-a", user: { $0 % 2 == 0 ? Self.marker : "other-user" })
        let files = files
        try await folder.with({ $0.files = files }) { store in
            for batch in 0..<40 {
                let first = Int64(batch) * 2500 + 1
                _ = try await store.submit(phone.batch(batch + 1, first...first + 2499))
            }
            let before = try store.bytesOfSegments()
            files.forget()
            let receipt = try await erase(store, phone.erasure(1, of: Self.marker, through: 100_000))
            #expect(receipt.events == 50_000)
            #expect(files.sequence == ["write 0000000001.segment", "sync 0000000001.segment"])
            // Two bytes for each of 50,000 ranges: a hundredth of the events.
            #expect(try store.bytesOfSegments() - before < 110_000)
            #expect(before > 10_000_000)
            #expect(try seqs(store).allSatisfy { $0 % 2 != 0 })
        }
    }

    @Test("A repeated request gets the same answer and erases nothing more; another content under its id is rejected")
    func repeated() async throws {
        let request = phone.erasure(1, of: Self.marker, through: 20)
        try await folder.with { store in
            try await fill(store)
            let receipt = try await erase(store, request)
            // The user comes back.
            let later = try await store.submit(phone.batch(3, 21...30)).receipt
            #expect(later?.stored == [21...30])
            let bytes = try store.bytesOfSegments()
            #expect(
                try await store.erase(request, receivedAt: .init(microseconds: 3)) == .accepted(receipt, isRepeat: true)
            )
            #expect(try store.bytesOfSegments() == bytes)
            for other in [
                phone.erasure(1, of: "other-user", through: 20), phone.erasure(1, of: Self.marker, through: 21),
                phone.erasure(1, of: Self.marker), phone.erasure(1, of: Self.marker, through: 20, numbers: [1...2]),
            ] {
                #expect(try await store.erase(other, receivedAt: .init(microseconds: 3)) == .keyReused)
            }
            // The same request under another id has nothing left to erase.
            let again = try await erase(store, phone.erasure(2, of: Self.marker, through: 20))
            #expect(again.marked == 0 && again.events == 0 && again.through == 20)
            #expect(try seqs(store).filter { $0 % 4 == 0 } == [24, 28])
        }
        // Also after a restart, and after the round.
        try await folder.with { store in
            _ = try await store.eraseReported()
            let again = try await store.erase(request, receivedAt: .init(microseconds: 3))
            guard case .accepted(let receipt, true) = again else {
                Issue.record("\(again)")
                return
            }
            #expect(receipt.name.number == 4 && receipt.events == 4)
            #expect(try seqs(store).filter { $0 % 4 == 0 } == [24, 28])
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test(
        "Old bodies are not stored, in whatever batch they arrive, before and after the round",
        arguments: [false, true])
    func lateBodies(isAfterRound: Bool) async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            // 11 to 20 wait at a proxy.
            let receipt = try await erase(store, phone.erasure(1, of: Self.marker, through: 20, numbers: [12...12]))
            #expect(receipt.marked == 3 && receipt.events == 2 && receipt.kept == 0)
            if isAfterRound { _ = try await store.eraseReported() }
            for _ in 0..<2 {
                // The known batch.
                let known = try await store.submit(phone.batch(1, 1...10)).receipt
                #expect(known?.name.number == 1)
                #expect(known?.erased == [4...4, 8...8] && known?.stored == [1...3, 5...7, 9...10])
                // A batch that is new here.
                let late = try await store.submit(phone.batch(2, 11...20)).receipt
                #expect(late?.erased == [12...12, 16...16, 20...20])
                #expect(late?.stored == [11...11, 13...15, 17...19])
                // The same lines, sealed again.
                let sealed = try await store.submit(phone.batch(3, 1...20)).receipt
                #expect(sealed?.erased == [4...4, 8...8, 12...12, 16...16, 20...20] && sealed?.missing == [])
                // And imported.
                let imported = try await store.submit(phone.imported(Array(1...20))).receipt
                #expect(imported?.erased == [4...4, 8...8, 12...12, 16...16, 20...20])
            }
            #expect(try seqs(store) == (1...20).filter { $0 % 4 != 0 })
            // The user comes back.
            #expect(try await store.submit(phone.batch(4, 21...24)).receipt?.stored == [21...24])
            _ = try await store.eraseReported()
            #expect(try seqs(store).last == 24)
            #expect(
                try store.install("install-a")?.ranges(.erased)
                    == [4...4, 8...8, 12...12, 16...16, 20...20])
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test("With a fork in between, old bodies of both generations are not stored, and erased lines are not copied")
    func fork() async throws {
        let next = Phone("install-a2", secret: String(repeating: "a2", count: 16), user: phone.user)
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            _ = try await erase(
                store, phone.erasure(1, of: Self.marker, through: 16, numbers: [4...4, 12...12, 16...16]))
            // A clone sends known numbers with other bytes: the erased ones are settled like the same ones.
            let outcome = try await store.submit(
                phone.batch(2, 1...16, variants: [9: "clone"]))
            #expect(outcome == .fork(acknowledged: [1...8, 10...10, 12...12, 16...16], forked: [9...9]))
            // The new generation copies the rest; its own erasure has its own numbers.
            _ = try await store.submit(next.batch(1, 1...6))
            #expect(try await erase(store, next.erasure(1, of: Self.marker, through: 6)).events == 1)
            for _ in 0..<2 {
                #expect(try await store.submit(phone.batch(1, 1...10)).receipt?.erased == [4...4, 8...8])
                #expect(try await store.submit(phone.batch(3, 11...16)).receipt?.erased == [12...12, 16...16])
                #expect(try await store.submit(next.batch(1, 1...6)).receipt?.erased == [4...4])
                #expect(try await store.submit(next.batch(2, 1...6)).receipt?.erased == [4...4])
            }
            // What the former generation has in store, also above the numbers of the restored device.
            _ = try await store.submit(phone.batch(4, 17...20))
            #expect(try seqs(store).filter { $0 % 4 == 0 } == [20])
            #expect(try await erase(store, phone.erasure(2, of: Self.marker)).events == 1)
            #expect(try store.lines(after: .start, .init(user: Self.marker)).lines == [])
            _ = try await store.eraseReported()
            #expect(try holders() == [])
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test("Other users' events stay under named numbers, stored before and after the erasure")
    func otherUsers() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            let receipt = try await erase(store, phone.erasure(1, of: Self.marker, numbers: [1...20]))
            #expect(receipt.events == 2 && receipt.kept == 8 && receipt.marked == 12 && receipt.through == 20)
            let summary = try #require(try store.install("install-a"))
            #expect(summary.ranges(.erased) == [4...4, 8...8, 11...20] && summary.highest == 20)
            #expect(summary.missing == [])
            #expect(
                try store.absences(limit: 10).installs["install-a"]?.map(\.reason) == ["erased", "erased", "erased"])
            // The named numbers turn out to be another user's.
            let late = try await store.submit(phone.batch(2, 11...20)).receipt
            #expect(late?.stored == [11...11, 13...15, 17...19])
            #expect(try store.install("install-a")?.ranges(.erased) == [4...4, 8...8, 12...12, 16...16, 20...20])
            #expect(try seqs(store) == (1...20).filter { $0 % 4 != 0 })
            // Another user may be erased, too.
            #expect(try await erase(store, phone.erasure(2, of: "other-user")).events == 15)
            #expect(try seqs(store) == [])
            _ = try await store.eraseReported()
            #expect(try store.install("install-a")?.ranges(.erased) == [1...20])
        }
        #expect(try folder.storedLines() == [])
        try await expectSameIndexAfterRebuild()
    }

    @Test("Another secret, an install without a secret, and an empty user change nothing")
    func notMine() async throws {
        try await folder.with { store in
            try await fill(store)
            _ = try await store.submit(Phone("imported", user: phone.user).imported([1, 2, 3, 4]))
            let bytes = try store.bytesOfSegments()
            let thief = Phone("install-a", secret: String(repeating: "0", count: 32))
            for request in [thief.erasure(1, of: Self.marker), Phone("imported").erasure(1, of: Self.marker)] {
                #expect(try await store.erase(request, receivedAt: .init(microseconds: 3)) == .wrongSecret)
            }
            await #expect(throws: StoreError.self) {
                _ = try await store.erase(phone.erasure(1, of: ""), receivedAt: .init(microseconds: 3))
            }
            #expect(try store.bytesOfSegments() == bytes && !store.hasPendingErasures())
            #expect(try seqs(store).count == 18)
            #expect(try await store.submit(thief.batch(9, 30...31)) == .installTaken)
        }
    }

    @Test("An install that is not known yet gets the secret of its erasure, and its old bodies are not stored")
    func unknownInstall() async throws {
        try await folder.with { store in
            let receipt = try await erase(store, phone.erasure(1, of: Self.marker, through: 10, numbers: [4...4]))
            #expect(receipt.marked == 1 && receipt.events == 0 && receipt.through == 10)
            let thief = Phone("install-a", secret: String(repeating: "0", count: 32))
            #expect(try await store.submit(thief.batch(9, 1...3)) == .installTaken)
            #expect(try await store.submit(phone.batch(1, 1...10)).receipt?.erased == [4...4, 8...8])
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test("A rejected line of the user that arrives late is rejected without its bytes")
    func lateRejects() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            _ = try await erase(store, phone.erasure(1, of: Self.marker, through: 20))
            _ = try await store.eraseReported()
            _ = try await store.submit(phone.batch(2, 11...30, rejecting: [12, 13, 24]))
            #expect(try store.rejects().map { $0.bytes == nil } == [true, false, false])
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test("Batches that were not forwarded yet are forwarded without erased events, which are listed as absent")
    func forwarding() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            _ = try await erase(store, phone.erasure(1, of: Self.marker, through: 20))
            _ = try await store.submit(phone.batch(2, 11...20))
            for _ in 0..<2 {
                let batches = try store.forwardable(after: 0).batches
                #expect(batches.map(\.numbers) == [[1...3, 5...7, 9...10], [11...11, 13...15, 17...19]])
                #expect(
                    batches.map { $0.absent.map(\.seqs) } == [[4...4, 8...8], [12...12, 16...16, 20...20]])
                #expect(batches.allSatisfy { $0.absent.allSatisfy { $0.fate == .erased && $0.reason == "erased" } })
                #expect(batches.allSatisfy { $0.text.firstRange(of: Array(Self.marker.utf8)) == nil })
                _ = try await store.eraseReported()
            }
        }
    }

    @Test("Retention keeps the marks and the answers")
    func retention() async throws {
        let request = phone.erasure(1, of: Self.marker, through: 20, numbers: [12...12])
        func open() throws -> BatchStore {
            try folder.open { options in
                options.segmentBytes = 1
                options.now = { .init(seconds: 1000) }
            }
        }
        let store = try open()
        _ = try await store.submit(phone.batch(1, 1...10))
        let receipt = try await erase(store, request)
        for round in 0..<2 {
            // Everything before it expires; the second time, also the segments with the kept facts.
            _ = try await store.submit(Phone("install-b").batch(round + 1, 1...3, at: 1_000_000_000))
            #expect(try await store.enforce(.init(maximumBytes: 1)).segments > 0)
            #expect(try seqs(store) == [])
            #expect(
                try await store.erase(request, receivedAt: .init(microseconds: 3)) == .accepted(receipt, isRepeat: true)
            )
            let late = try await store.submit(phone.batch(10 + round, 1...20, at: 1_000_000_000)).receipt
            #expect(late?.erased == [4...4, 8...8, 12...12, 16...16, 20...20])
            #expect(try store.install("install-a")?.ranges(.erased) == [4...4, 8...8, 12...12, 16...16, 20...20])
        }
        await store.close()
        #expect(try holders() == [])
        let kept = try folder.indexContent()
        try folder.removeIndex()
        let again = try open()
        let late = try await again.submit(phone.batch(30, 1...20, at: 1_000_000_000)).receipt
        #expect(late?.erased == [4...4, 8...8, 12...12, 16...16, 20...20])
        await again.close()
        #expect(kept.contains { $0.hasPrefix("erasure 2 install-a") })
    }

    @Test("An error or a kill between any two steps of the round loses neither marks nor other lines", arguments: 0..<6)
    func interrupted(step: Int) async throws {
        let (files, folder) = (files, folder)
        let copy = try DataFolder()
        try await folder.with({
            $0.files = files
            $0.segmentBytes = 3000
        }) { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            _ = try await store.submit(phone.batch(2, 11...20, rejecting: [12, 13]))
            _ = try await erase(store, phone.erasure(1, of: Self.marker))
            let (call, failure) = FaultyFiles.failuresOfRewriting[step]
            // The last segment, with the request: those before it are rewritten.
            let last = try #require(try folder.segments().last).dropFirst("segments/".count)
            files.set(call) { path in path.contains(last) || call == .syncFolder ? failure : nil }
            await #expect(throws: (any Error).self) { _ = try await store.eraseReported() }
            // It ends here.
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        }
        try await copy.with { store in
            #expect(store.openingFindings == [])
            #expect(try seqs(store) == (1...20).filter { $0 % 4 != 0 && $0 != 13 })
            #expect(try store.rejects().map { $0.bytes == nil } == [true, false])
            #expect(try await store.submit(phone.batch(5, 1...10)).receipt?.erased == [4...4, 8...8])
            _ = try await store.eraseReported()
            #expect(try await store.doctor() == [])
        }
        for file in try copy.allFiles() {
            #expect(try copy.bytes(file).firstRange(of: Array(Self.marker.utf8)) == nil, "\(file)")
        }
        let kept = try copy.indexContent()
        #expect(try await copy.rebuiltIndexContent() == kept)
    }

    @Test("After an error nothing is marked, and the same request succeeds later")
    func failed() async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            for code in [ENOSPC, EIO] {
                files.set(.write) { _ in .partial(30, code) }
                await #expect(throws: StoreError.self) {
                    _ = try await store.erase(phone.erasure(1, of: Self.marker), receivedAt: .init(microseconds: 3))
                }
                files.set(.write, nil)
                #expect(try seqs(store) == Array(1...10))
            }
            #expect(try await erase(store, phone.erasure(1, of: Self.marker)).events == 2)
            #expect(try seqs(store) == (1...10).filter { $0 % 4 != 0 })
        }
        try await expectSameIndexAfterRebuild()
    }

    @Test("Batches that arrive during the request are erased up to its number")
    func concurrent() async throws {
        let phone = phone
        try await folder.with({ $0.segmentBytes = 4000 }) { store in
            let last = PlannedBatches.seqs(39).upperBound
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for batch in 0..<40 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
                }
                group.addTask {
                    for number in 1...10 {
                        _ = try await store.erase(
                            phone.erasure(number, of: Self.marker, through: last),
                            receivedAt: .init(microseconds: 3))
                        _ = try await store.eraseReported()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try seqs(store) == (1...last).filter { $0 % 4 != 0 })
            _ = try await store.eraseReported()
        }
        #expect(try holders() == [])
        try await expectSameIndexAfterRebuild()
    }
}
