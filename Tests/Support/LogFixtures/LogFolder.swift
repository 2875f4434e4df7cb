package import EventLog
package import EventModel
package import Foundation

/// A temporary folder with a log.
package final class LogFolder: Sendable {
    package let url: URL
    package var path: String { url.appendingPathComponent("events.sqlite").path }

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("event-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // The system removes leftovers in its temporary folder.
        try? FileManager.default.removeItem(at: url)
    }

    package func open(retention: Retention = .keepAll, maximumPendingBytes: Int = 16 << 20) throws -> SQLiteEventStore {
        try SQLiteEventStore(
            path: path,
            options: SQLiteEventStore.Options(
                installID: { "install-1" }, retention: retention, maximumPendingBytes: maximumPendingBytes))
    }

    /// Options with a background time that the test controls, and without real waits.
    package func options(_ time: BackgroundTimeDouble, eventsPerTransaction: Int = 500) -> SQLiteEventStore.Options {
        var options = SQLiteEventStore.Options(
            installID: { "install-1" }, retention: .keepAll, maximumPendingBytes: 16 << 20,
            eventsPerTransaction: eventsPerTransaction, busyTimeout: .seconds(600))
        options.backgroundTime = time
        return options
    }
}

extension EventStore {
    /// Appends an event whose line contains its number, padded to `length`.
    @discardableResult
    package func append(at seconds: Int64 = 100, length: Int = 10) -> Result<EventRecord, EventDropped> {
        append { seq in .numbered(seq, seconds: seconds, length: length) }
    }

    /// Appends an event of a user.
    @discardableResult
    package func append(user: String) -> Result<EventRecord, EventDropped> {
        append { seq in
            let record = EventRecord.numbered(seq)
            return EventRecord(
                seq: seq, id: record.id, time: record.time, name: record.name,
                line: Array(#"{"seq":\#(seq),"user_id":"\#(user)"}"#.utf8))
        }
    }

    /// Tracks a person with the policy `required`.
    @discardableResult
    package func requireConsent(of person: String) -> NumberedConsentChange {
        noteConsent(.policy(.required, person: person))
    }

    package func all() async throws -> [EventRecord] {
        try await read(after: 0, maximumCount: .max, maximumBytes: .max)
    }

    package func seqs() async throws -> [Int64] { try await all().map(\.seq) }
}

extension EventStamp {
    /// Writes the line of an event with the given length, and returns the result.
    package static func numbered(_ seq: Int64, to line: UnsafeMutableRawBufferPointer, length: Int = 10) -> EventStamp {
        let record = EventRecord.numbered(seq, length: length)
        line.copyBytes(from: record.line)
        return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: record.line.count)
    }
}

extension EventRecord {
    /// An event of a user, with a text.
    package static func of(_ user: String, _ text: String, seq: Int64, purpose: Purpose = .analytics) -> EventRecord {
        let record = EventRecord.numbered(seq, id: .random(in: 0...(.max >> 2)))
        let line = #"{"seq":\#(seq),"user_id":"\#(user)","text":"\#(text)"}"#
        return EventRecord(
            seq: seq, id: record.id, time: record.time, name: record.name, line: Array(line.utf8), purpose: purpose)
    }

    package static func numbered(_ seq: Int64, seconds: Int64 = 100, length: Int = 10, id: UInt64? = nil) -> EventRecord
    {
        let digits = Array("\(seq)".utf8)
        let line = digits + Array(repeating: UInt8(ascii: "."), count: max(0, length - digits.count))
        return EventRecord(
            seq: seq, id: EventID(milliseconds: UInt64(seconds) * 1000, counter: 0, random: (id ?? UInt64(seq)) << 2),
            time: EventTime(seconds: seconds), name: "numbered", line: line)
    }
}

extension LogFolder {
    /// The folder of the journals.
    package var journal: String { JournalFolder.path(of: path) }

    /// The names of the folder's entries, sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    /// The files that contain a text, at any depth.
    package func files(with text: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted().filter { path in
            let data = FileManager.default.contents(atPath: url.appendingPathComponent(path).path) ?? Data()
            return path.contains(text) || data.range(of: Data(text.utf8)) != nil
        }
    }

    /// The reasons of all quarantined files, by folder.
    package func reasons() throws -> [String] {
        try names().filter { $0.contains(".damaged-") }.map { name in
            try String(decoding: Data(contentsOf: url.appendingPathComponent(name + "/reason.txt")), as: UTF8.self)
        }
    }

    /// Changes the bytes of a file in place.
    package func change(_ file: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        body(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }
}
