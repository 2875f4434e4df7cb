import DeliveryProtocol
import LogFixtures
import LoopbackServer
import Primitives
import Testing
import TrackingCore
import TrackingHTTP

/// Deliveries that end before the response: deadlines, canceled tasks, background time.
@Suite("Cancellation", .timeLimit(.minutes(10)))
struct CancellationTests {
    /// Longer than a test may take: only a cancellation ends a request.
    private static let timeout = Duration.seconds(3_600)

    private static let late = "delayed: no response within 0.1 seconds"
    /// The abandoned task may take a moment to end.
    private static let busy = "delayed: its previous delivery is still running"

    @Test("the deadline ends the request: the connection is closed, and the batch is kept and retried under its id")
    func deadline() async throws {
        let phone = try Phone()
        let collector = try CollectorDouble(Array(repeating: .hang, count: 1_000))
        do {
            let app = try phone.start(
                collector.url, policy: FlushPolicy(deadline: .milliseconds(100)), options: .init(timeout: Self.timeout))
            app.send(1)
            // On a busy machine, a deadline may expire before the request has begun.
            while collector.requests.isEmpty { await app.flush() }
            await collector.awaitHangup()
            #expect(try await app.acknowledged() == 0)
        }
        #expect(phone.reports.contains(Self.late) && Set(phone.reports).isSubset(of: [Self.late, Self.busy]))
        collector.script([])
        let later = try phone.start(collector.url)
        await later.flush()
        let batches = try collector.batches()
        #expect(batches.count >= 2 && Set(batches.map(\.header.id)).count == 1)
        #expect(Set(batches.map(\.request.body)).count == 1)
        #expect(collector.seqs(of: "install-1") == [1])
    }

    @Test(
        "the deadline also ends a stalled response",
        arguments: ["HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"])
    func stalled(part: String) async throws {
        let phone = try Phone()
        let requests = Locked(0)
        let (ends, end) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            requests.withLock { $0 += 1 }
            connection.send(part)
            connection.awaitEnd()
            end.yield()
        }
        defer { server.stop() }
        let app = try phone.start(
            server.url(), policy: FlushPolicy(deadline: .milliseconds(100)), options: .init(timeout: Self.timeout))
        app.send(1)
        while requests.withLock({ $0 }) == 0 { await app.flush() }
        for await _ in ends { break }
        #expect(try await app.acknowledged() == 0)
        #expect(phone.reports.contains(Self.late) && Set(phone.reports).isSubset(of: [Self.late, Self.busy]))
    }

    @Test("the end of the background time ends the request; the next flush sends the same batch")
    func background() async throws {
        let phone = try Phone()
        let time = BackgroundTimeDouble()
        let collector = try CollectorDouble([.hang])
        let app = try phone.start(
            collector.url, options: .init(timeout: Self.timeout), backgroundTime: time)
        app.send(2)
        time.enterBackground(for: .seconds(30))
        async let flush: Void = app.flush()
        await collector.awaitRequest()
        time.advance(by: .seconds(30))
        await flush
        await collector.awaitHangup()
        await time.awaitEnd()
        time.becomeActive()
        // The sink may take a moment to return from the abandoned delivery.
        while collector.requests.count < 2 { await app.flush() }
        let batches = try collector.batches()
        #expect(batches[0].header.id == batches[1].header.id)
        #expect(try await app.acknowledged() == 2)
    }

    @Test("a canceled task ends its request and does not affect the next one")
    func cancelled() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let isFirst = Locked(true)
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            let hangs = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if hangs {
                arrival.yield()
                connection.awaitEnd()
                end.yield()
            } else {
                connection.answer(200)
            }
        }
        defer { server.stop() }
        let transport = SystemDeliveryTransport()
        let request = DeliveryRequest(
            url: try DeliveryEndpoint(server.url()).url, fields: [], body: [1], timeout: Self.timeout,
            maximumResponseBytes: 10)
        let task = Task { try await transport.send(request) }
        for await _ in arrivals { break }
        task.cancel()
        let result = await task.result
        #expect(throws: DeliveryTransportError(.cancelled, "the request was canceled")) { try result.get() }
        for await _ in ends { break }
        #expect(try await transport.send(request).status == 200)
    }

    @Test("a task that was canceled before sends nothing")
    func cancelledBefore() async throws {
        let collector = try CollectorDouble()
        let transport = SystemDeliveryTransport()
        let request = DeliveryRequest(
            url: try DeliveryEndpoint(collector.url).url, fields: [], body: [1], timeout: Self.timeout,
            maximumResponseBytes: 10)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(request)
        }
        let result = await task.result
        #expect(throws: DeliveryTransportError.self) { try result.get() }
        #expect(collector.requests.isEmpty)
    }

    @Test("requests canceled at any moment leave the client usable")
    func storm() async throws {
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil { connection.answer(200, [], [1]) }
        }
        defer { server.stop() }
        let transport = SystemDeliveryTransport()
        let request = DeliveryRequest(
            url: try DeliveryEndpoint(server.url()).url, fields: [], body: [1, 2, 3], timeout: Self.timeout,
            maximumResponseBytes: 10)
        for round in 1...60 {
            let task = Task { try await transport.send(request) }
            for _ in 0..<round { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let response): #expect(response.body == [1])
            case .failure(let error): #expect((error as? DeliveryTransportError)?.code == .cancelled)
            }
            let response = try await transport.send(request)
            #expect(response.body == [1])
        }
    }
}
