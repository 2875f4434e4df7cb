import DeliveryProtocol
import EventModel
import Foundation
import Primitives
import Testing

@testable import CollectorStore

@Suite("Messages of other systems' clients")
struct ClientMessagesTests {
    private let folder: DataFolder
    private static let week: Int64 = 7 * 86_400_000_000

    init() throws { folder = try DataFolder() }

    private static func key(_ id: String) -> [UInt8] {
        Array(SHA256.bytes(of: Array(id.utf8)).prefix(ClientMessages.keyBytes))
    }

    private static func event(_ id: String?, user: String = "user-1", time: Int64 = 5) -> ClientMessages.Message {
        let start = #"{"v":1,"install_id":"segment:shop","seq":"#
        let line = start + "9007199254740991" + #","user_id":"\#(user)","event":{"id":"\#(id ?? "")"}}"#
        return .init(
            key: id.map(key) ?? [],
            .event(
                .init(
                    line: Array(line.utf8), seq: start.utf8.count..<start.utf8.count + 16,
                    time: .init(microseconds: time), user: user, schema: "segment-message/1-0-0",
                    isValidated: false)))
    }

    private static func batch(_ messages: [ClientMessages.Message], at time: Int64 = 1_000_000) throws
        -> ClientMessages
    {
        try ClientMessages(
            installID: "segment:shop", receivedAt: .init(microseconds: time), messages: messages)
    }

    @discardableResult
    private func submit(_ ids: [String?], at time: Int64 = 1_000_000, to store: BatchStore) async throws -> Receipt {
        let outcome = try await store.submit(Self.batch(ids.map { Self.event($0) }, at: time))
        return try #require(outcome.receipt)
    }

    /// The ids of the stored messages, by number.
    private func stored(_ store: BatchStore) throws -> [Int64: String] {
        var ids: [Int64: String] = [:]
        for line in try store.lines(after: .start, limit: 1000).lines {
            let text = String(decoding: line.bytes, as: UTF8.self)
            #expect(text.contains("\"seq\":\(line.cursor.seq),"))
            ids[line.cursor.seq] = String(text.split(separator: #""id":""#)[1].prefix { $0 != "\"" })
        }
        return ids
    }

    @Test("Messages get numbers in order, once for each id")
    func numbers() async throws {
        try await folder.with { store in
            #expect(try await submit(["a", "b", "a", nil], to: store).stored == [1...3])
            let again = try await submit(["b", "c", nil, "a"], to: store)
            #expect(again.stored == [1...2, 4...5])
            #expect(again.duplicates == [1...2])
            #expect(try stored(store) == [1: "a", 2: "b", 3: "", 4: "c", 5: ""])
            #expect(try store.completeness().first?.isComplete == true)
        }
    }

    @Test("If all messages are known, nothing is written")
    func known() async throws {
        try await folder.with { store in
            try await submit(["a", "b"], to: store)
            let before = try folder.bytes(folder.segments()[0]).count
            let again = try await submit(["b", "a"], to: store)
            #expect(again.duplicates == [1...2] && again.stored == [1...2])
            #expect(try folder.bytes(folder.segments()[0]).count == before)
        }
    }

    @Test("Messages of one group of submissions see each other")
    func group() async throws {
        try await folder.with { store in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<50 {
                    tasks.addTask { _ = try await store.submit(Self.batch([Self.event("a"), Self.event("b")])) }
                }
                try await tasks.waitForAll()
            }
            #expect(try stored(store).values.sorted() == ["a", "b"])
        }
    }

    @Test("Ids are known after a restart, also without the index")
    func restart() async throws {
        _ = try await folder.with { try await submit(["a", "b"], to: $0) }
        try await folder.with { store in
            let again = try await submit(["b"], to: store)
            #expect(again.duplicates == [2...2])
        }
        let content = try folder.indexContent()
        #expect(content.contains { $0.hasPrefix("message segment:shop") })
        #expect(try await folder.rebuiltIndexContent() == content)
        try folder.removeIndex()
        try await folder.with { store in
            let again = try await submit(["a", "c"], to: store)
            #expect(again.stored == [1...1, 3...3])
        }
    }

    @Test("Ids are remembered for seven days")
    func memory() async throws {
        try await folder.with { store in
            try await submit(["a"], at: 1, to: store)
            #expect(try await submit(["a"], at: 1 + Self.week, to: store).duplicates == [1...1])
            #expect(try await submit(["a"], at: 2 + Self.week, to: store).stored == [2...2])
            // The later one is remembered now.
            #expect(try await submit(["a"], at: 2 + 2 * Self.week, to: store).duplicates == [2...2])
        }
        let content = try folder.indexContent()
        #expect(content.filter { $0.hasPrefix("message") }.count == 1)
        #expect(try await folder.rebuiltIndexContent() == content)
    }

    @Test("Ids outlive the segments of their messages")
    func retention() async throws {
        let small: (inout BatchStore.Options) -> Void = { options in
            options.segmentBytes = 1
            options.now = { .init(microseconds: 10_000_000) }
        }
        try await folder.with(small) { store in
            try await submit(["a"], to: store)
            for number in 0..<4 {
                try await submit(["later-\(number)"], to: store)
                _ = try await store.enforce(.init(maximumBytes: 0))
            }
        }
        let content = try folder.indexContent().filter { !$0.hasPrefix("expired") }
        #expect(content.filter { $0.hasPrefix("message") }.count == 5)
        #expect(try await folder.rebuiltIndexContent().filter { !$0.hasPrefix("expired") } == content)
        try folder.removeIndex()
        try await folder.with(small) { store in
            let again = try await submit(["a"], to: store)
            #expect(again.duplicates == [1...1])
        }
    }

    @Test("A rejected message has a number that counts as rejected, its bytes, and comes only once")
    func rejected() async throws {
        let message = ClientMessages.Message(
            key: Self.key("bad"),
            .rejected(code: "too-large", message: "longer than 32 KiB", bytes: Array("[1]".utf8)))
        try await folder.with { store in
            let first = try #require(try await store.submit(Self.batch([Self.event("a"), message])).receipt)
            #expect(first.rejected.map(\.seq) == [2])
            #expect(try await store.submit(Self.batch([message])).receipt?.duplicates == [2...2])
            let install = try #require(try store.install("segment:shop"))
            #expect(install.ranges(.refused) == [2...2])
            #expect(try store.completeness().first?.isComplete == true)
        }
        let content = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == content)
    }

    @Test("An erased message is not stored again by a retry")
    func erased() async throws {
        try await folder.with { store in
            _ = try await store.submit(Self.batch([Self.event("a", user: "gone"), Self.event("b")]))
            _ = try await store.erase(user: "gone")
            _ = try await store.submit(Self.batch([Self.event("a", user: "gone")]))
            #expect(try stored(store) == [2: "b"])
        }
        let content = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == content)
        try folder.removeIndex()
        try await folder.with { store in
            _ = try await store.submit(Self.batch([Self.event("a", user: "gone")]))
            #expect(try stored(store) == [2: "b"])
        }
    }

    @Test("Frames with messages are read as they were written", arguments: [[], ["a"], ["a", "b"]])
    func frames(_ ids: [String]) throws {
        var batch = BatchFrame(receivedAt: 1, installID: "segment:shop", digest: [])
        batch.messages = ids.enumerated().map { .init(seq: Int64($0 + 1), key: Self.key($1)) }
        var expiry = ExpiryFrame(segment: 3, frames: 1...4, installs: [])
        expiry.messages = batch.messages.map { .init(installID: "segment:shop", message: $0, receivedAt: 7) }
        for content in [FrameContent.batch(batch), .expiry(expiry)] {
            var bytes = ByteWriter()
            content.write(to: &bytes)
            let read = try bytes.bytes.withUnsafeBytes { try FrameContent(kind: content.kind, $0) }
            #expect(read == content)
            #expect((content.kind >= FrameContent.messagesKind) == !ids.isEmpty)
        }
    }
}
