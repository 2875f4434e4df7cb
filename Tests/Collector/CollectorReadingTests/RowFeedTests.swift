import CollectorFixtures
import CollectorIntake
import CollectorReading
import CollectorStore
import Testing

@Suite("The feed of rows", .timeLimit(.minutes(10)))
struct RowFeedTests {
    private let folder: FeedFolder

    init() throws { folder = try FeedFolder() }

    private func send(_ batches: ClosedRange<Int>, lines: Int = 3, from sender: SendingInstall? = nil) async throws {
        let sender = sender ?? folder.sender
        for batch in batches {
            let seqs = Int64((batch - 1) * lines + 1)...Int64(batch * lines)
            try await folder.send(batch, seqs, seqs.map { sender.line($0) }, from: sender)
        }
    }

    /// Reads like a viewer of the page until it has a number of rows.
    private func view(_ feed: RowFeed, until count: Int, pause: Duration = .zero) async throws -> [RenderedRow] {
        try await feed.withViewer {
            var (rows, cursor) = ([RenderedRow](), RowCursor.start)
            while rows.count < count {
                let announcement = feed.announcement
                let page = try feed.page(after: cursor, RowFilter(), byteLimit: 2000)
                rows += page.rows
                cursor = page.next
                if page.isAtEnd, rows.count < count { _ = await feed.awaitRows(after: announcement) }
                if pause > .zero { try await Task.sleep(for: pause) }
            }
            return rows
        }
    }

    @Test("Pages of any size give each row once, from any cursor", arguments: [1, 700, 1 << 20])
    func pages(byteLimit: Int) async throws {
        try await send(1...20)
        let feed = folder.feed()
        let all = try feed.rows(byteLimit: byteLimit)
        #expect(all.map(\.cursor.number) == Array(1...60))
        for (index, row) in all.enumerated() {
            #expect(try feed.rows(after: row.cursor, byteLimit: byteLimit) == Array(all[(index + 1)...]))
        }
    }

    @Test(
        "Fast and slow viewers get each row once while batches arrive, whatever the memory",
        arguments: [0, 3000, 16 << 20])
    func viewers(memory: Int) async throws {
        var options = RowFeed.Options()
        (options.recentBytes, options.interval) = (memory, .milliseconds(1))
        let feed = folder.feed(options)
        let running = Task { await feed.run() }
        defer { running.cancel() }
        try await send(1...5)
        async let fast = view(feed, until: 600)
        async let slow = view(feed, until: 600, pause: .milliseconds(1))
        try await send(6...200)
        let numbers = try await (fast.map(\.cursor.number), slow.map(\.cursor.number))
        #expect(numbers.0 == Array(1...600))
        #expect(numbers.1 == Array(1...600))
        #expect(feed.viewers == 0)
    }

    @Test("A viewer of one install gets only its rows")
    func install() async throws {
        let other = SendingInstall("install-b")
        try await send(1...3)
        try await send(1...3, from: other)
        let feed = folder.feed()
        let filter = try folder.filter(("install", "install-b"))
        let rows = try feed.rows(filter)
        #expect(rows.map(\.installID) == Array(repeating: "install-b", count: 9))
    }

    @Test("After an erasure, no viewer gets the user's rows")
    func erasure() async throws {
        let sender = SendingInstall("install-a") { $0 % 2 == 0 ? "even" : "odd" }
        try await send(1...10, from: sender)
        let feed = folder.feed()
        try await feed.withViewer {
            #expect(try feed.rows().count == 30)
            let cursor = RowCursor(receipt: 3, kind: .line, number: 7)
            #expect(try feed.rows(after: cursor).count == 23)
            _ = try await folder.store.erase(user: "even")
            feed.forget()
            #expect(try feed.rows().map(\.user) == Array(repeating: "odd", count: 15))
            // A cursor keeps its position although rows before it are gone.
            #expect(try feed.rows(after: cursor).map(\.cursor.number) == Array(stride(from: 9, through: 30, by: 2)))
        }
    }

    @Test("Changed schemas redact rows that are in memory")
    func schemas() async throws {
        try await folder.send(1, 1...1, [folder.order(1, #""label":"open""#)])
        let feed = folder.feed()
        try await feed.withViewer {
            #expect(try feed.rows()[0].text.contains("open"))
            try FeedFolder.writeSchema(to: folder.temporary, personal: ["query", "label"])
            #expect(folder.schemas.reload() != .unchanged)
            #expect(try !feed.rows()[0].text.contains("open"))
        }
    }

    @Test("At the end of the feed, waiting viewers continue and learn that no more rows come")
    func end() async throws {
        let feed = folder.feed()
        let running = Task { await feed.run() }
        let announcement = feed.announcement
        let waiting = Task { await feed.awaitRows(after: announcement) }
        await folder.store.close()
        _ = await waiting.value
        await running.value
        #expect(feed.hasEnded)
    }

    @Test("A canceled viewer stops waiting")
    func cancellation() async throws {
        let feed = folder.feed()
        let waiting = Task { await feed.awaitRows(after: feed.announcement) }
        waiting.cancel()
        _ = await waiting.value
    }

    @Test(
        "The newest lines are found by whole batches",
        arguments: [(0, 5), (1, 4), (3, 4), (4, 3), (15, 0), (99, 0)])
    func newest(_ count: Int, _ receipt: Int64) async throws {
        try await send(1...5)
        #expect(try folder.store.receipt(beforeNewest: count) == receipt)
    }
}
