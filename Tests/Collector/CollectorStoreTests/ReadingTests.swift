import CollectorFixtures
import DeliveryProtocol
import EventModel
import Primitives
import Testing

@testable import CollectorStore

@Suite("Reading lines, installs and rejects")
struct ReadingTests {
    private let folder: DataFolder
    private let files = FaultyFiles()

    init() throws { folder = try DataFolder() }

    /// Three installs with two users each; batches of ten.
    private func fill(_ store: BatchStore, batches: Int = 12) async throws {
        for batch in 0..<batches {
            for name in ["a", "b", "c"] {
                let phone = Phone("install-\(name)", user: { "user-\(name)-\($0 / 50)" })
                let first = Int64(batch * 10 + 1)
                _ = try await store.submit(phone.batch(batch, first...first + 9, at: Int64(batch) * 1000))
            }
        }
    }

    private func all(_ store: BatchStore, _ selection: LineSelection, limit: Int) throws -> [StoredLine] {
        var (lines, cursor): ([StoredLine], LineCursor) = ([], .start)
        while true {
            let page = try store.lines(after: cursor, selection, limit: limit)
            #expect(page.lines.count <= limit)
            lines += page.lines
            if !page.hasMore { return lines }
            #expect(page.next > cursor)
            cursor = page.next
        }
    }

    @Test(
        "Pages of any size return each line once, in the order of storage",
        arguments: [1, 7, 10, 1000])
    func pages(limit: Int) async throws {
        let lines = try await folder.with({ $0.segmentBytes = 5000 }) { store in
            try await fill(store)
            return try all(store, .init(), limit: limit)
        }
        #expect(
            lines.map { "\($0.installID) \($0.cursor.seq) \(String(decoding: $0.bytes, as: UTF8.self))" }
                == (try folder.storedLines()))
        #expect(lines.map(\.cursor) == lines.map(\.cursor).sorted())
        #expect(lines[0].receivedAt == EventTime(microseconds: 0))
        #expect(lines[0].time == EventTime(seconds: 1))
    }

    @Test("A cursor at the end finds lines stored later")
    func following() async throws {
        try await folder.with { store in
            let phone = Phone("install-a")
            _ = try await store.submit(phone.batch(1, 1...3))
            let first = try store.lines(after: .start)
            #expect(first.lines.map(\.cursor.seq) == [1, 2, 3])
            let nothing = try store.lines(after: first.next)
            #expect(nothing == LinePage(lines: [], next: first.next, hasMore: false))
            _ = try await store.submit(phone.batch(2, 4...5))
            #expect(try store.lines(after: first.next).lines.map(\.cursor.seq) == [4, 5])
        }
    }

    @Test("A page ends at its byte limit")
    func byteLimit() async throws {
        try await folder.with { store in
            _ = try await store.submit(Phone("install-a").batch(1, 1...9))
            let page = try store.lines(after: .start, byteLimit: 150)
            #expect(page.lines.count == 2)
            #expect(page.hasMore)
        }
    }

    private static let selections: [LineSelection] = [
        .init(installID: "install-b"), .init(user: "user-c-1"), .init(schema: "search"),
        .init(schema: "page-view/1-0-0"),
        .init(times: EventTime(seconds: 33)...EventTime(seconds: 57)),
        .init(installID: "install-a", user: "user-b-0"),
        .init(
            installID: "install-a", user: "user-a-0", schema: "search",
            times: .init(seconds: 5)...(.init(seconds: 44))),
        .init(installID: "unknown"), .init(user: "unknown"), .init(schema: "unknown"), .init(schema: "sea"),
    ]

    @Test("A selection returns exactly the lines that meet its conditions", arguments: 0..<selections.count)
    func selection(index: Int) async throws {
        let selection = Self.selections[index]
        try await folder.with { store in
            try await fill(store)
            let expected = try all(store, .init(), limit: 1000).filter { line in
                let name = line.installID.last.map(String.init) ?? ""
                let schema = Phone.schema(line.cursor.seq)
                return selection.installID ?? line.installID == line.installID
                    && selection.user.map { $0 == "user-\(name)-\(line.cursor.seq / 50)" } ?? true
                    && selection.schema.map { $0 == schema || schema.hasPrefix($0 + "/") } ?? true
                    && selection.times.map { $0.contains(line.time) } ?? true
            }
            #expect(try all(store, selection, limit: 6) == expected)
            #expect(expected.isEmpty == (index == 5 || index >= 7))
        }
    }

    @Test("Only batches that may have a selected line are read")
    func readsFew() async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            try await fill(store)
            func reads(_ selection: LineSelection) throws -> Int {
                files.forget()
                _ = try all(store, selection, limit: 1000)
                return files.count(.read)
            }
            // Each batch that is read takes three calls: the segment's header, the frame's header, its payload.
            #expect(try reads(.init()) == 36 * 3)
            #expect(try reads(.init(user: "user-a-2")) == 3 * 3)
            #expect(try reads(.init(installID: "install-b")) == 12 * 3)
            #expect(try reads(.init(times: .init(seconds: 11)...(.init(seconds: 20)))) == 3 * 3)
            #expect(try reads(.init(schema: "unknown")) == 0)
        }
    }

    @Test("An install's summary has its ranges, its ledger and its forks")
    func summary() async throws {
        try await folder.with { store in
            let phone = Phone("install-a")
            let ledger: [BatchHeader.LedgerRow] = [
                .init(reason: "evicted", seqs: 8...9, count: 2),
                .init(reason: "runaway", seqs: nil, count: 3, times: .init(seconds: 1)...(.init(seconds: 2))),
            ]
            _ = try await store.submit(phone.batch(1, 1...6, missing: [.init(2...2, .held)], ledger: ledger, at: 5))
            _ = try await store.submit(phone.batch(2, 6...12, variants: [6: "clone"], at: 6))
            _ = try await store.submit(phone.batch(3, 12...12, at: 7))
            let install = try #require(try store.install("install-a"))
            #expect(install.firstSeen == .init(microseconds: 5))
            #expect(install.lastSeen == .init(microseconds: 7))
            #expect(install.highest == 12)
            #expect(
                install.numbers == [
                    .init(seqs: 1...1, fate: .stored), .init(seqs: 2...2, fate: .held),
                    .init(seqs: 3...6, fate: .stored),
                    .init(seqs: 8...9, fate: .dropped), .init(seqs: 12...12, fate: .stored),
                ])
            #expect(install.missing == [7...7, 10...11])
            #expect(install.ledger == ledger)
            #expect(
                install.forks == [
                    .init(seenAt: .init(microseconds: 6), batchID: Phone.id(2), acknowledged: [], forked: [6...6])
                ])
            #expect(try store.install("unknown") == nil)
            #expect(
                try store.completeness() == [
                    .init(
                        installID: "install-a", highest: 12, stored: 6, explained: 2, held: 1, missing: 3,
                        isComplete: false)
                ])
            #expect(try store.completeness(after: "install-a") == [])
        }
    }

    @Test("The hash of a stored range is the sum over its lines, independent of batches")
    func rangeHashes() async throws {
        try await folder.with { store in
            let phone = Phone("install-a")
            _ = try await store.submit(phone.batch(1, 5...8))
            _ = try await store.submit(phone.batch(2, 1...6, missing: [.init(2...2, .held)]))
            let expected = ([1...1, 3...8] as [ClosedRange<Int64>]).map { range in
                RangeHash(
                    seqs: range,
                    hash: range.reduce(0) { sum, seq in
                        sum
                            &+ SHA256.bytes(of: Array(phone.line(seq).utf8)).prefix(8).reversed()
                            .reduce(0) { $0 << 8 | UInt64($1) }
                    })
            }
            #expect(try store.rangeHashes(of: "install-a") == expected)
            #expect(try store.rangeHashes(of: "unknown") == [])
        }
    }

    @Test("Batches and rejected lines are listed with their exact bytes")
    func batchesAndRejects() async throws {
        try await folder.with { store in
            let (phone, other) = (Phone("install-a"), Phone("install-b"))
            _ = try await store.submit(phone.batch(1, 1...4, rejecting: [2], at: 9))
            _ = try await store.submit(other.imported([3], at: 10))
            _ = try await store.submit(other.batch(1, 3...5, rejecting: [4, 5], at: 11))
            let batches = [
                BatchSummary(
                    receipt: 1, installID: "install-a", batchID: Phone.id(1), receivedAt: .init(microseconds: 9),
                    seqs: 1...4, lines: 3),
                BatchSummary(
                    receipt: 2, installID: "install-b", batchID: nil, receivedAt: .init(microseconds: 10),
                    seqs: nil, lines: 1),
                BatchSummary(
                    receipt: 3, installID: "install-b", batchID: Phone.id(1), receivedAt: .init(microseconds: 11),
                    seqs: 3...5, lines: 0),
            ]
            #expect(try store.batches() == batches)
            #expect(try store.batches(of: "install-b", after: 2) == [batches[2]])
            #expect(try store.batches(limit: 1) == [batches[0]])
            let rejects = try store.rejects()
            #expect(rejects.map(\.receipt) == [1, 3, 3])
            #expect(
                rejects.map(\.bytes) == [
                    Array(phone.line(2).utf8), Array(other.line(4).utf8), Array(other.line(5).utf8),
                ])
            #expect(rejects.map(\.rejection.seq) == [2, 4, 5])
            #expect(try store.rejects(of: "install-b", limit: 1).map(\.rejection.seq) == [4, 5])
            #expect(try store.rejects(after: 3) == [])
        }
    }

    @Test(
        "Of a long rejected line, the first 32 KiB are kept, with its length and digest; pages end at a number of bytes"
    )
    func longRejects() async throws {
        let phone = Phone("install-a")
        let variant = String(repeating: "x", count: 100_000)
        let line = Array(phone.line(2, variant: variant).utf8)
        let note = " (\(line.count) bytes, SHA-256 \(SHA256.bytes(of: line).hexadecimal); the first 32768 are kept)"
        try await folder.with { store in
            let receipt = try await store.submit(phone.batch(1, 1...2, variant: variant, rejecting: [2])).receipt
            #expect(receipt?.rejected.map(\.message) == ["no such page" + note])
            _ = try await store.submit(phone.batch(2, 3...3, rejecting: [3]))
            let all = try store.rejects()
            #expect(all.map { $0.bytes?.count } == [32_768, phone.line(3).utf8.count])
            #expect(all[0].bytes == Array(line.prefix(32_768)) && all[0].rejection.message.hasSuffix(note))
            #expect(all[1].rejection.message == "no such page")
            #expect(try store.rejects(byteLimit: 1000).map(\.receipt) == [1])
            #expect(try store.rejects(after: 1, byteLimit: 1000).map(\.receipt) == [2])
            #expect(try store.bytesOfSegments() < 140_000)
        }
    }
}
