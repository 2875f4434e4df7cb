import CollectorServer
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import Logging
import Primitives
import ServiceLifecycle
import Testing

/// A data folder and its keys. It is removed with its owner.
final class CollectorFolder: Sendable {
    let temporary: TemporaryFolder
    let writeKey: String
    let adminToken: String
    var path: String { temporary.path("data") }

    init() throws {
        temporary = try TemporaryFolder()
        let write = AccessKey.draw(.write, app: "shop", at: .ofSystem())
        let admin = AccessKey.draw(.admin, app: "admin", at: .ofSystem())
        (writeKey, adminToken) = (write.key, admin.key)
        try DataFolder.prepare(temporary.path("data"))
        try KeyFile(folder: temporary.path("data")).write([write.entry, admin.entry])
    }

    /// Copies a folder on which no collector runs, with its keys.
    init(copying other: CollectorFolder) throws {
        temporary = try TemporaryFolder()
        (writeKey, adminToken) = (other.writeKey, other.adminToken)
        try FileManager.default.copyItem(atPath: other.path, toPath: temporary.path("data"))
    }

    /// Runs a collector on this folder while `body` runs, and ends it like SIGTERM.
    func serve<Result: Sendable>(
        _ change: (inout CollectorSettings) -> Void = { _ in },
        _ body: (ServedCollector) async throws -> Result
    ) async throws -> Result {
        let collector = try await ServedCollector.start(self, change)
        do {
            let result = try await body(collector)
            try await collector.stop()
            return result
        } catch {
            try? await collector.stop()  // the first error says more
            throw error
        }
    }

    /// The lines in the store, by install and number; a number that is stored twice is recorded as an issue.
    func storedLines() async throws -> [String: [Int64: String]] {
        let store = try BatchStore(folder: "\(path)/store")
        var found: [String: [Int64: String]] = [:]
        var cursor = LineCursor.start
        while true {
            let page = try store.lines(after: cursor)
            for line in page.lines {
                let before = found[line.installID, default: [:]].updateValue(
                    String(decoding: line.bytes, as: UTF8.self), forKey: line.cursor.seq)
                #expect(before == nil, "\(line.installID) \(line.cursor.seq) is stored twice")
            }
            cursor = page.next
            if !page.hasMore { break }
        }
        await store.close()
        return found
    }

    /// All files in the folder, at any depth, that contain a text.
    func files(with text: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return names.sorted().filter { name in
            guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { return false }
            return name.contains(text) || bytes.range(of: Data(text.utf8)) != nil
        }
    }
}

/// A collector in this process, on a free port of 127.0.0.1.
final class ServedCollector: Sendable {
    let folder: CollectorFolder
    let port: Int
    private let clock: RoundClock
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    private init(
        _ folder: CollectorFolder, port: Int, _ clock: RoundClock, _ group: ServiceGroup,
        _ running: Task<Void, any Error>
    ) {
        (self.folder, self.port, self.clock, self.group, self.running) = (folder, port, clock, group, running)
    }

    static func start(
        _ folder: CollectorFolder, _ change: (inout CollectorSettings) -> Void = { _ in }
    ) async throws -> ServedCollector {
        let logger = Logger(label: "collector") { _ in SwiftLogNoOpLogHandler() }
        var settings = CollectorSettings(folder: folder.path, logger: logger)
        settings.port = 0
        // The timeout of the tests ends hangs; slow machines are no error.
        settings.headerTimeout = .seconds(600)
        settings.bodyTimeout = .seconds(600)
        settings.keylessTimeout = .seconds(600)
        settings.idleTimeout = .seconds(600)
        settings.minimumFreeBytes = 0
        let clock = RoundClock()
        settings.clock = clock
        change(&settings)
        let (ports, serving) = AsyncStream<Int>.makeStream()
        let service = try CollectorService(settings) { serving.yield($0) }
        // Started like the command.
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.drainTimeout
        let group = ServiceGroup(configuration: configuration)
        let running = Task {
            defer { serving.finish() }
            try await group.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            do { try await running.value } catch
                where settings.port != 0 && "\(error)".contains("Address already in use")
            {
                // A connection of another test has the port of the former collector for a while.
                try await Task.sleep(for: .milliseconds(100))
                return try await start(folder, change)
            }
            throw CocoaError(.executableLoad)
        }
        return ServedCollector(folder, port: port, clock, group, running)
    }

    /// Requests the shutdown, like SIGTERM.
    func beginStop() async { await group.triggerGracefulShutdown() }

    /// Ends the collector like SIGTERM, and waits for the end. Further calls do nothing.
    func stop() async throws {
        await beginStop()
        try await running.value
    }

    /// Waits until the background work has had a number of whole rounds.
    func pass(rounds: Int) async throws {
        // The current round may have begun before the call.
        let end = clock.count + rounds + 1
        #expect(try await eventually { clock.count >= end })
    }

    /// - Parameter address: The last number of the client's address, 127.0.0.1 by default.
    func connect(from address: Int = 1) throws -> RawConnection { try RawConnection(port: port, from: address) }

    /// Sends a request on a separate connection.
    func call(
        _ method: String, _ path: String, key: String?, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) async throws -> RawResponse {
        let connection = try connect()
        defer { connection.close() }
        var all = fields
        if let key { all.append(("Authorization", "Bearer \(key)")) }
        if let body { all.append(("Content-Length", "\(body.count)")) }
        await connection.send(RawRequest.head(method, path, all) + (body ?? []))
        return try #require(await connection.response(toHead: method == "HEAD"))
    }

    /// Posts a body of events with the write key.
    func post(
        _ body: [UInt8], key: String? = nil, type: String? = DeliveryHeaderField.mediaType,
        _ fields: [(String, String)] = []
    ) async throws -> RawResponse {
        try await call(
            "POST", CollectorPath.events, key: key ?? folder.writeKey,
            (type.map { [("Content-Type", $0)] } ?? []) + fields, body: body)
    }

    /// Reads an endpoint with the admin token.
    func get(_ path: String) async throws -> RawResponse { try await call("GET", path, key: folder.adminToken) }

    /// The lines that `GET /v1/lines` returns for a query, page by page.
    func lines(_ query: String = "", limit: Int = 1000) async throws -> [String] {
        var (lines, after): ([String], String) = ([], "0.0")
        while true {
            let page = try await get("/v1/lines?limit=\(limit)&after=\(after)\(query.isEmpty ? "" : "&" + query)")
            #expect(page.status == 200)
            lines += page.lines
            let more = page[LinesQuery.moreField]
            after = try #require(page[LinesQuery.cursorField])
            guard more == "true" else {
                #expect(more == "false")
                return lines
            }
            #expect(page.lines.count == limit)
        }
    }
}

/// Waits for a condition, at most five minutes.
///
/// - Returns: Whether the condition was met.
func eventually(_ isTrue: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
        if try await isTrue() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return false
}

/// Paces the background work of a collector: 20 ms instead of a second for each round.
final class RoundClock: Clock {
    private let sleeps = Locked(0)

    /// The number of sleeps so far. A round ends when the next sleep begins.
    var count: Int { sleeps.withLock { $0 } }

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        sleeps.withLock { $0 += 1 }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// A collector's clock that a test moves.
final class TestClock: Sendable {
    private let time = Locked(EventTime(seconds: 1_800_000_000))

    var now: EventTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
