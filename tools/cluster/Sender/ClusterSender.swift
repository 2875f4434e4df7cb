import ArgumentParser
import CommandSupport
import DeliveryHTTP
import EventLog
import EventModel
import Foundation
import JSONLines
import Primitives
import TrackingCore
import TrackingHTTP

/// A process of many devices, each with a real event log and a real `HTTPSink`, until the cluster test kills it. A further run
/// continues where the last one ended.
@main
struct ClusterSender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster-sender",
        abstract: "Send recorded events with new ids from many devices. Started and killed by tools/cluster/test.",
        shouldDisplay: false)

    @Option(help: "Folder of the logs; created if missing.")
    var folder: String

    @Option(help: "Lines of recorded events.")
    var lines: String

    @Option(help: "Number of the first device.")
    var first: Int

    @Option(help: "Number of devices.")
    var devices: Int

    @Option(help: "Events per device.")
    var events: Int

    @Option(help: "Events per second of all devices of this process.")
    var rate: Double

    @Option(help: "Collector and its write key: URL,KEY. Each request goes to a random one. Repeatable.")
    var collector: [String]

    func run() async throws {
        let recorded = try Recording(path: lines)
        let collectors = try collector.map { try BalancedTransport.Collector($0) }
        var opened: [Device] = []
        for number in first..<first + devices {
            opened.append(try Device(number, folder: "\(folder)/device-\(number)", collectors))
        }
        let all = opened
        print("cluster-sender: \(devices) devices, \(all.reduce(0) { $0 + $1.sent }) events sent before")
        fflush(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await send(recorded, all) }
            // Requests of several devices are in progress at the same time.
            for lane in 0..<8 {
                group.addTask { try await deliver(all.enumerated().filter { $0.offset % 8 == lane }.map(\.element)) }
            }
            try await group.waitForAll()
        }
        for device in all { try await device.close() }
        print("cluster-sender: everything is delivered")
    }

    /// Sends events in rounds: each round a few of each device.
    private func send(_ recorded: Recording, _ devices: [Device]) async throws {
        let start = ContinuousClock.now
        var (count, isBusy) = (0, true)
        while isBusy {
            isBusy = false
            for device in devices {
                let portion = min(events - device.sent, 20)
                guard portion > 0 else { continue }
                isBusy = true
                for _ in 0..<portion { try device.send(recorded) }
                count += portion
                let due = start.advanced(by: .seconds(Double(count) / rate))
                if due > .now { try await Task.sleep(until: due) }
            }
        }
    }

    /// Flushes devices in turn until all of their events are delivered.
    private func deliver(_ devices: [Device]) async throws {
        var left = devices
        while !left.isEmpty {
            var next: [Device] = []
            for device in left {
                try await device.flush()
                if try await !device.isDone(events) { next.append(device) }
            }
            left = next
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}

/// Recorded events whose ids are redrawn.
private struct Recording: Sendable {
    /// Name, schema, and the bytes of `event`.
    private let events: [(name: String, schema: String, event: [UInt8])]

    init(path: String) throws {
        events = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n")).compactMap {
            line in
            let bytes = Array(line)
            let (json, members) = try JSONParser.parseWithMembers(bytes)
            guard let event = members.first(where: { $0.name == "event" }), let schema = json["schema"]?.stringValue,
                let name = json["event"]?["name"]?.stringValue
            else { return nil }
            return (name, schema, Array(bytes[event.range]))
        }
        guard !events.isEmpty else { throw CommandFailure(.dataError, "\(path) has no events") }
    }

    /// The record of an event of a device.
    ///
    /// - Parameter index: The event's index, which also determines its user and session.
    func record(_ index: Int, device: Int, installID: String, seq: Int64) -> EventRecord {
        let source = events[(device * 7919 + index) % events.count]
        let time = EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
        let id = EventID(
            milliseconds: time.milliseconds, counter: .random(in: 0..<4096), random: .random(in: 0...(.max)))
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.key(.version)
        json.integer(1)
        json.key(.id)
        json.string("\(id)")
        json.key(.installID)
        json.string(installID)
        json.key(.seq)
        json.integer(seq)
        json.key(.sessionID)
        json.string(Self.uuid("session", device, index / 40))
        json.key(.userID)
        json.string(Self.uuid("user", device, index / 1000))
        json.key(.time)
        json.seconds(microseconds: time.microseconds)
        json.key(.schema)
        json.string(source.schema)
        json.key(.context)
        json.value(Array(#"{"app":"cluster-sender 1.0","sdk":"swift-tracking 0.1.0"}"#.utf8))
        json.key(.event)
        json.value(source.event)
        json.endObject()
        return EventRecord(seq: seq, id: id, time: time, name: source.name, line: json.bytes)
    }

    private static func uuid(_ kind: String, _ device: Int, _ number: Int) -> String {
        let digits = SHA256.hexadecimal(Array("\(kind) \(device) \(number)".utf8))
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(digits.dropFirst(range.lowerBound).prefix(range.count))
        }
        return parts.joined(separator: "-")
    }
}

/// A device: a log, and its delivery.
private final class Device: Sendable {
    private let number: Int
    private let log: SQLiteEventStore
    private let flusher: EventFlusher
    private let sink: HTTPSink
    private let count: Locked<Int>

    init(_ number: Int, folder: String, _ collectors: [BalancedTransport.Collector]) throws {
        self.number = number
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // After a fork the log continues as another install.
        let isNew = !FileManager.default.fileExists(atPath: "\(folder)/events.sqlite")
        let install = isNew ? "device-\(number)" : "device-\(number)-\(UUID().uuidString)"
        // Delivered lines stay, so that reconcile can compare their bytes.
        log = try SQLiteEventStore(
            path: "\(folder)/events.sqlite", options: .init(installID: { install }, retention: .keepAll))
        var options = HTTPSink.Options(timeout: .seconds(10))
        options.transport = BalancedTransport(collectors)
        sink = try HTTPSink(url: "http://127.0.0.1/v1/events", key: "wk_balanced", options: options)
        flusher = try EventFlusher(
            log: log, sinks: [sink], policy: .manual, clock: SystemTrackingClock(), timer: ContinuousClock()
        ) { _ in }
        count = Locked(Int(log.newest?.seq ?? 0))
    }

    /// The number of events in the log.
    var sent: Int { count.withLock { $0 } }

    func send(_ recorded: Recording) throws {
        let (number, install, index) = (self.number, log.installID, sent)
        switch log.append({ seq in recorded.record(index, device: number, installID: install, seq: seq) }) {
        case .success: count.withLock { $0 += 1 }
        case .failure(let drop): throw CommandFailure(.software, "device \(number) dropped an event: \(drop)")
        }
    }

    func flush() async throws {
        try await log.commit()
        await flusher.flush()
    }

    func isDone(_ events: Int) async throws -> Bool {
        guard sent >= events else { return false }
        return try await log.cursor(of: sink.name).acknowledged >= Int64(events)
    }

    func close() async throws { try await log.close() }
}

/// Sends each request to a random collector, as behind a balancer.
private struct BalancedTransport: DeliveryTransport {
    struct Collector: Sendable {
        let url: URL
        let key: String

        init(_ text: String) throws {
            let parts = text.split(separator: ",").map(String.init)
            guard parts.count == 2, let url = URL(string: parts[0] + "/v1/events") else {
                throw CommandFailure(.usage, "invalid --collector '\(text)': pass URL,KEY")
            }
            (self.url, key) = (url, parts[1])
        }
    }

    private let routes: [(collector: Collector, transport: SystemDeliveryTransport)]

    init(_ collectors: [Collector]) { routes = collectors.map { ($0, .init()) } }

    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        let (collector, transport) = routes[Int.random(in: routes.indices)]
        let fields = request.fields.map { field in
            field.name.lowercased() == "authorization"
                ? DeliveryField("Authorization", "Bearer \(collector.key)") : field
        }
        return try await transport.send(
            DeliveryRequest(
                url: collector.url, fields: fields, body: request.body, timeout: request.timeout,
                maximumResponseBytes: request.maximumResponseBytes))
    }
}
