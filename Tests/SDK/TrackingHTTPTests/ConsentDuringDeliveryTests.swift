import DeliveryHTTP
import DeliveryProtocol
import EventLog
import Foundation
import LoopbackServer
import Primitives
import Testing
import TrackingCore
import TrackingHTTP

/// A person denies consent while a batch with their events is being sent.
@Suite("Consent during a delivery", .timeLimit(.minutes(10)))
struct ConsentDuringDeliveryTests {
    private let phone: Phone

    init() throws { phone = try Phone() }

    /// Answers the first request after the person has denied consent.
    private func answer(_ reply: CollectorDouble.Reply, with app: @escaping @Sendable () throws -> App)
        -> CollectorDouble.Reply
    {
        .making { _ in
            let denied = DispatchSemaphore(value: 0)
            Task {
                try await app().environment.tracking.setConsent(.denied)
                denied.signal()
            }
            denied.wait()
            return reply
        }
    }

    @Test(
        "after a denial, the body is sent neither to a redirect's target nor without compression",
        arguments: [307, 308, 415])
    func notAgain(status: Int) async throws {
        let app = Locked<App?>(nil)
        let collector = try CollectorDouble([
            answer(.status(status, [("Location", "/again")])) { try #require(app.withLock { $0 }) }
        ])
        let started = try phone.start(collector.url)
        app.withLock { $0 = started }
        started.send(100)
        await started.flush()
        #expect(collector.requests.count == 1)
        #expect(
            phone.reports.filter { !$0.hasPrefix("dropped") } == [
                "delayed: no response from \(collector.url): sending has stopped, because consent was denied"
            ])
        #expect(collector.seqs(of: "install-1") == [])
    }

    @Test("after a denial in another process, too")
    func otherProcess() async throws {
        let other = Locked<App?>(nil)
        let collector = try CollectorDouble([
            answer(.status(308, [("Location", "/again")])) { try #require(other.withLock { $0 }) }
        ])
        let app = try phone.start(collector.url)
        let second = try phone.start(collector.url)
        other.withLock { $0 = second }
        app.send(3)
        await app.flush()
        #expect(collector.requests.count == 1)
    }

    @Test("a receipt that arrives after the denial counts, and starts no other request")
    func receipt() async throws {
        let app = Locked<App?>(nil)
        let collector = try CollectorDouble([
            .making { [phone] batch in
                _ = phone
                let denied = DispatchSemaphore(value: 0)
                Task {
                    try await app.withLock { $0 }?.environment.tracking.setConsent(.denied)
                    denied.signal()
                }
                denied.wait()
                return .status(200, [], try batch.receipt().json())
            }
        ])
        let started = try phone.start(collector.url)
        app.withLock { $0 = started }
        started.send(3)
        await started.flush()
        await started.flush()
        #expect(collector.requests.count == 1)
        #expect(try await started.acknowledged() == 3)
    }

    @Test("an upload under way is ended: most of the body never arrives", arguments: [true, false])
    func upload(isSystem: Bool) async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<(count: Int, isReset: Bool)>.makeStream()
        let isDenied = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { connection in
            guard connection.readHead() != nil else { return }
            arrival.yield()
            isDenied.wait()
            var count = 0
            while let part = connection.read() { count += part.count }
            end.yield((count, connection.wasReset))
        }
        defer { server.stop() }
        let transport: any DeliveryTransport = isSystem ? SystemDeliveryTransport() : URLSessionTransport()
        let isAllowed = Atomic(true)
        // More than the systems' buffers.
        let request = DeliveryRequest(
            url: try DeliveryEndpoint(server.url()).url, fields: [], body: [UInt8](repeating: 1, count: 64 << 20),
            timeout: .seconds(300), maximumResponseBytes: 10, mayContinue: { isAllowed.load(ordering: .acquiring) })
        let task = Task { try await transport.send(request) }
        for await _ in arrivals { break }
        isAllowed.store(false, ordering: .releasing)
        let result = await task.result
        #expect(throws: DeliveryTransportError(.denied, "sending has stopped, because consent was denied")) {
            try result.get()
        }
        isDenied.signal()
        for await (count, isReset) in ends {
            #expect(count < 32 << 20 && (isReset || !isSystem))
            break
        }
    }
}
