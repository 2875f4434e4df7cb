import NATSServer
import Testing

@testable import StreamClient

@Suite("JetStream", .enabled(if: NATSServer.isInstalled), .timeLimit(.minutes(5)))
struct JetStreamTests {
    private let server: NATSServer

    init() throws { server = try NATSServer() }

    /// Connects as soon as the server is ready.
    private func connect(timeout: Duration = .seconds(5)) async throws -> JetStream {
        var options = JetStream.Options(servers: server.url, name: "tests")
        options.timeout = timeout
        return try await JetStream.connected(options)
    }

    private func publications(_ numbers: ClosedRange<Int>, _ partition: Int = 3) -> [JetStream.Publication] {
        numbers.map {
            .init(StreamNames.events(partition), Array("message \($0)".utf8), id: "id-\(partition)-\($0)")
        }
    }

    private func texts(_ messages: [JetStream.Stored]) -> [String] {
        messages.map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test("The streams are created once, and keep their number of partitions")
    func create() async throws {
        let stream = try await connect()
        let missing = #expect(throws: StreamError.self) { try stream.state(of: StreamNames.events) }
        #expect(missing?.code == .noStream)
        let made = try stream.create(partitions: 4, replicas: 1)
        #expect(made.partitions == 4 && made.replicas == 1 && made.messages == 0)
        #expect(try stream.create(partitions: 9, replicas: 1) == made)
        #expect(try stream.state(of: StreamNames.cuts).partitions == 4)
    }

    @Test("Messages are acknowledged and read in order; a repeated id is stored once")
    func publish() async throws {
        let stream = try await connect()
        _ = try stream.create(partitions: 4, replicas: 1)
        #expect(try stream.publish(publications(1...3)) == (1...3).map { .stored(sequence: $0) })
        #expect(try stream.publish(publications(1...2, 2)) == (4...5).map { .stored(sequence: $0) })
        #expect(
            try stream.publish(publications(2...4)) == [
                .duplicate(sequence: 2), .duplicate(sequence: 3), .stored(sequence: 6),
            ])
        let (all, hasMore) = try stream.messages(
            of: StreamNames.events, subject: StreamNames.events(3), after: 0)
        #expect(all.map(\.sequence) == [1, 2, 3, 6] && !hasMore)
        #expect(texts(all) == (1...4).map { "message \($0)" })
        let (part, isMore) = try stream.messages(
            of: StreamNames.events, subject: StreamNames.events(3), after: 1, limit: 2)
        #expect(part.map(\.sequence) == [2, 3] && isMore)
        let (none, _) = try stream.messages(of: StreamNames.events, subject: StreamNames.events(1), after: 0)
        #expect(none.isEmpty)
        #expect(try stream.lastSequence(of: StreamNames.events, subject: StreamNames.events(3)) == 6)
        #expect(try stream.lastSequence(of: StreamNames.events, subject: StreamNames.events(1)) == 0)
    }

    @Test("A message of 900,000 bytes fits, and many of them in one call")
    func large() async throws {
        let stream = try await connect()
        _ = try stream.create(partitions: 4, replicas: 1)
        let data = [UInt8](repeating: 7, count: StreamMessage.maximumBytes)
        let acknowledgements = try stream.publish(
            (0..<10).map { .init(StreamNames.events(0), data, id: "\($0)") })
        #expect(acknowledgements.count == 10)
        var (found, after): ([JetStream.Stored], Int64) = ([], 0)
        while found.count < 10 {
            let page = try stream.messages(of: StreamNames.events, subject: StreamNames.events(0), after: after)
            found += page.messages
            after = try #require(found.last?.sequence)
        }
        #expect(found.allSatisfy { $0.data == data })
    }

    @Test("Of two cuts after the same one, the second is a conflict")
    func compareAndSet() async throws {
        let (first, second) = (try await connect(), try await connect())
        _ = try first.create(partitions: 4, replicas: 1)
        func cut(_ stream: JetStream, _ text: String, after last: Int64) throws -> JetStream.Acknowledgement? {
            try stream.publish([.init(StreamNames.cuts(1), Array(text.utf8), expectedLast: last)]).first
        }
        #expect(try cut(first, "a", after: 0) == .stored(sequence: 1))
        #expect(try cut(second, "b", after: 0) == .conflict)
        #expect(try cut(second, "c", after: 1) == .stored(sequence: 2))
        // Other partitions do not matter.
        #expect(
            try second.publish([.init(StreamNames.cuts(2), [1], expectedLast: 0)]) == [.stored(sequence: 3)])
        let (cuts, _) = try first.messages(of: StreamNames.cuts, subject: StreamNames.cuts(1), after: 0)
        #expect(texts(cuts) == ["a", "c"])
    }

    @Test("An erased message is gone; erasing it again is no error")
    func erase() async throws {
        let stream = try await connect()
        _ = try stream.create(partitions: 4, replicas: 1)
        _ = try stream.publish(publications(1...3))
        #expect(try stream.erase(2, of: StreamNames.events))
        #expect(try !stream.erase(2, of: StreamNames.events))
        #expect(try !stream.erase(99, of: StreamNames.events))
        let (left, _) = try stream.messages(of: StreamNames.events, subject: StreamNames.events(3), after: 0)
        #expect(left.map(\.sequence) == [1, 3])
    }

    @Test(
        "While the server is away calls fail as unavailable; afterwards the same connection works, and nothing is lost"
    )
    func outage() async throws {
        let stream = try await connect(timeout: .milliseconds(500))
        _ = try stream.create(partitions: 4, replicas: 1)
        _ = try stream.publish(publications(1...2))
        server.kill()
        for _ in 0..<2 {
            let error = #expect(throws: StreamError.self) { try stream.publish(publications(3...4)) }
            #expect(error?.code == .unavailable)
        }
        let error = #expect(throws: StreamError.self) {
            try stream.messages(of: StreamNames.events, subject: StreamNames.events(3), after: 0)
        }
        #expect(error?.code == .unavailable)
        try server.start()
        while true {
            do throws(StreamError) {
                _ = try stream.publish(publications(3...4))
                break
            } catch { #expect(error.code == .unavailable) }
            try await Task.sleep(for: .milliseconds(50))
        }
        let (found, _) = try stream.messages(of: StreamNames.events, subject: StreamNames.events(3), after: 0)
        // A message whose answer came too late is published again, behind the next.
        #expect(texts(found).sorted() == (1...4).map { "message \($0)" })
    }

    @Test(
        "Addresses of another form, and secrets in messages",
        arguments: [
            ("http://127.0.0.1:4222", "invalid stream 'http://127.0.0.1:4222'"), ("", "invalid stream ''"),
            ("nats://u:secret@127.0.0.1:1", "cannot connect to nats://127.0.0.1:1"),
        ])
    func addresses(address: String, message: String) {
        let error = #expect(throws: StreamError.self) {
            try JetStream(JetStream.Options(servers: address, name: "tests"))
        }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
}

extension JetStream {
    /// Connects as soon as the server is ready.
    static func connected(_ options: Options) async throws -> JetStream {
        while true {
            do throws(StreamError) { return try JetStream(options) } catch {
                guard error.code == .unavailable else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
