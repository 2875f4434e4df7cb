import EventModel
import Foundation
import Testing

@testable import EventLog

/// One of the implementations that the conformance suite runs over.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, inMemory, forwarding

    var testDescription: String { rawValue }

    /// Makes an empty store; the folder must live as long as it.
    func make(in folder: LogFolder, retention: Retention = .keepAll) throws -> any EventStore {
        switch self {
        case .sqlite: try folder.open(retention: retention)
        case .inMemory: InMemoryEventStore(installID: "install-1", retention: retention)
        case .forwarding: Passing(next: InMemoryEventStore(installID: "install-1", retention: retention))
        }
    }

    /// A log that does nothing itself but pass events on.
    private struct Passing: ForwardingEventStore {
        let next: any EventStore

        func append(
            lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, fill) }
    }
}

/// A temporary folder with a log in it.
final class LogFolder: Sendable {
    let url: URL
    var path: String { url.appendingPathComponent("events.sqlite").path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("event-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What stays behind in the system's temporary folder goes with it.
        try? FileManager.default.removeItem(at: url)
    }

    func open(retention: Retention = .keepAll, maximumPendingBytes: Int = 16 << 20) throws -> SQLiteEventStore {
        try SQLiteEventStore(
            path: path,
            options: SQLiteEventStore.Options(
                installID: { "install-1" }, retention: retention, maximumPendingBytes: maximumPendingBytes))
    }
}

extension EventStore {
    /// Appends an event whose line says its number, padded to `length`.
    @discardableResult
    func append(at seconds: Int64 = 100, length: Int = 10) -> Result<EventRecord, EventDropped> {
        append { seq in .numbered(seq, seconds: seconds, length: length) }
    }

    func all() async throws -> [EventRecord] { try await read(after: 0, maximumCount: .max, maximumBytes: .max) }

    func seqs() async throws -> [Int64] { try await all().map(\.seq) }
}

extension EventRecord {
    static func numbered(_ seq: Int64, seconds: Int64 = 100, length: Int = 10, id: UInt64? = nil) -> EventRecord {
        let digits = Array("\(seq)".utf8)
        let line = digits + Array(repeating: UInt8(ascii: "."), count: max(0, length - digits.count))
        return EventRecord(
            seq: seq, id: EventID(milliseconds: UInt64(seconds) * 1000, counter: 0, random: (id ?? UInt64(seq)) << 2),
            time: EventTime(seconds: seconds), name: "numbered", line: line)
    }
}
