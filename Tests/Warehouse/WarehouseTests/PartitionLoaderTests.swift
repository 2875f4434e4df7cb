import CommandRunner
import EventModel
import Foundation
import NATSServer
import StreamClient
import Testing

@testable import Warehouse

@Suite("Loading a partition", .enabled(if: NATSServer.isInstalled), .timeLimit(.minutes(5)))
struct PartitionLoaderTests {
    private let server: NATSServer
    private let folder: TemporaryFolder
    private let metrics = LoaderMetrics()

    init() throws { (server, folder) = (try NATSServer(), try TemporaryFolder()) }

    /// A new stream with four partitions.
    private func stream() async throws -> JetStream {
        while true {
            do throws(StreamError) {
                let stream = try JetStream(JetStream.Options(servers: server.url, name: "tests"))
                _ = try stream.create(partitions: 4, replicas: 1)
                return stream
            } catch {
                guard error.code == .unavailable else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// A loader of partition 3 into a folder.
    private func loader(_ stream: JetStream, blockAge: Duration = .seconds(3600)) throws -> PartitionLoader {
        let created = try stream.state(of: StreamNames.events).created
        let store = FolderStore(folder: folder.path("events"))
        try store.prepare(stream: created)
        var options = Loader.Options()
        options.blockAge = blockAge
        let state = try PartitionState(
            folder: folder.path("state"), partition: 3, stream: created, partitions: 4)
        return PartitionLoader(stream, state: state, partition: 3, stores: [store], options: options, metrics: metrics)
    }

    private func publish(_ seq: Int64, receivedAt: EventTime = .ofSystem(), to stream: JetStream) throws {
        var message = StateFolder.message([seq...seq], batch: Int(seq))
        message.receivedAt = receivedAt
        _ = try stream.publish([.init(StreamNames.events(3), message.payload, id: message.id)])
    }

    private func last(_ stream: JetStream) throws -> Int64 { try stream.state(of: StreamNames.events).last }

    private func value(_ name: String) -> Double? {
        let line = metrics.text.split(separator: "\n").first { $0.hasPrefix("tracking_loader_\(name) ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }

    @Test("The lag is the age of the oldest message that is not loaded, and 0 when all are loaded")
    func lag() async throws {
        let stream = try await stream()
        let lag = #"lag_seconds{partition="3"}"#
        #expect(value(lag) == nil)
        do {
            let loader = try loader(stream)
            #expect(try loader.step(streamLast: nil) == .idle)
            #expect(value(lag) == 0)
            let now = EventTime.ofSystem().microseconds
            try publish(1, receivedAt: EventTime(microseconds: now - 100_000_000), to: stream)
            try publish(2, receivedAt: EventTime(microseconds: now), to: stream)
            #expect(try loader.step(streamLast: nil) == .waiting)
            let first = try #require(value(lag))
            #expect(first >= 100 && first < 1000)
            try await Task.sleep(for: .milliseconds(20))
            #expect(try #require(value(lag)) >= first + 0.02)
        }
        // Another loader continues; it writes every block immediately.
        let loader = try loader(stream, blockAge: .zero)
        #expect(try loader.step(streamLast: nil) == .progress)
        #expect(value(lag) == 0)
        #expect(value("events_total") == 2)
    }

    @Test("A partition without new messages is not read again until the stream grows, or two seconds later")
    func idle() async throws {
        let stream = try await stream()
        let loader = try loader(stream)
        let last = try last(stream)
        #expect(try loader.step(streamLast: last) == .idle)
        let start = ContinuousClock.now
        try publish(1, to: stream)
        // As if the stream had not grown: no read.
        let before = try loader.step(streamLast: last)
        if ContinuousClock.now - start < .seconds(1) { #expect(before == .idle) }
        #expect(try loader.step(streamLast: try self.last(stream)) == .waiting)
        #expect(loader.waitingCount == 1)
        // The same while messages wait for more messages of their block.
        let next = ContinuousClock.now
        let grown = try self.last(stream)
        try publish(2, to: stream)
        #expect(try loader.step(streamLast: grown) == .waiting)
        if ContinuousClock.now - next < .seconds(1) { #expect(loader.waitingCount == 1) }
        #expect(try loader.step(streamLast: try self.last(stream)) == .waiting)
        #expect(loader.waitingCount == 2)
    }

    @Test("A message that a replica showed too late is found two seconds later")
    func late() async throws {
        let stream = try await stream()
        let loader = try loader(stream)
        let last = try last(stream) + 1
        // The leader has message 1, the replica that answers does not yet.
        #expect(try loader.step(streamLast: last) == .idle)
        let start = ContinuousClock.now
        try publish(1, to: stream)
        while try loader.step(streamLast: last) == .idle { try await Task.sleep(for: .milliseconds(50)) }
        #expect(ContinuousClock.now - start > .seconds(1))
    }

    @Test("A partition with an unreadable message is stopped and reported at the end; the others are loaded")
    func stopped() async throws {
        let stream = try await stream()
        _ = try stream.publish([.init(StreamNames.events(1), Array("no message".utf8), id: "unreadable")])
        try publish(1, to: stream)
        var options = Loader.Options()
        (options.runsOnce, options.metricsFile) = (true, folder.path("metrics.prom"))
        let store = FolderStore(folder: folder.path("events"))
        let loader = try Loader(stream, partitions: nil, state: folder.path("state"), stores: [store], options: options)
        let error = #expect(throws: StreamError.self) { try loader.run() }
        #expect(error?.code == .invalidMessage && error?.message.contains("message 1 of EVENTS") == true)
        #expect(FileManager.default.fileExists(atPath: folder.path("events/manifests/3/1.json")))
        let lines = String(decoding: try folder.read("metrics.prom"), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("tracking_loader_stopped_partitions 1"))
        #expect(lines.contains("tracking_loader_events_total 1"))
    }

    @Test("A loader of which all partitions are stopped ends")
    func allStopped() async throws {
        let stream = try await stream()
        _ = try stream.publish([.init(StreamNames.events(1), Array("no message".utf8), id: "unreadable")])
        let store = FolderStore(folder: folder.path("events"))
        let loader = try Loader(
            stream, partitions: [1], state: folder.path("state"), stores: [store], options: Loader.Options())
        #expect(throws: StreamError.self) { try loader.run() }
    }
}
