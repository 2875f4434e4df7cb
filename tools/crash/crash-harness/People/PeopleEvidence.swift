import CrashSupport
import EventLog
import EventModel
import Foundation
import GRDB
import JSONLines

/// Everything that is known about a settled log: the senders' journals, the requests, the log, and its files.
struct PeopleEvidence: Sendable {
    struct StoredEvent: Sendable {
        let seq: Int64
        let user: String?
    }

    struct LedgerRow: Sendable {
        let seqs: ClosedRange<Int64>
        let reason: String
    }

    let requiresConsent: Bool
    /// Of the processes that change identity and consent, one after another.
    var apps: [JournalLines] = []
    /// Of processes that only send.
    var widgets: [JournalLines] = []
    var deliveries: [Delivery] = []
    var stored: [Marker: StoredEvent] = [:]
    var numbers = IndexSet()
    var ledger: [LedgerRow] = []
    /// The markers in all files of the folder.
    var inFiles: Set<Marker> = []

    /// Reads a closed log.
    mutating func read(folder: String) throws {
        let path = folder + "/events.sqlite"
        var cursor = LogCursor(try EventLogReader(path: path))
        while let record = try cursor.next() {
            numbers.insert(Int(record.seq))
            let container = try RecordedContainer(line: record.line)
            guard let marker = MarkedEvent.marker(of: container) else { continue }
            stored[marker] = StoredEvent(seq: record.seq, user: container.json[.userID]?.stringValue)
        }
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        ledger = try database.read { db in
            try Row.fetchAll(
                db, sql: "SELECT first_seq, last_seq, reason FROM ledger WHERE consumer = '' AND first_seq > 0"
            ).map { LedgerRow(seqs: ($0[0] as Int64)...($0[1] as Int64), reason: $0[2]) }
        }
        try database.close()
        try findMarkers(folder)
    }

    private mutating func findMarkers(_ folder: String) throws {
        let prefix = Data(Marker.prefix.utf8)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            var start = bytes.startIndex
            while let found = bytes.range(of: prefix, in: start..<bytes.endIndex) {
                let isPart: (UInt8) -> Bool = { byte in
                    byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                }
                let rest = bytes[found.upperBound...].prefix { isPart($0) }
                // A marker at the end of a page may be in two parts; an event has it again elsewhere.
                if let marker = Marker(Marker.prefix + String(decoding: rest, as: UTF8.self)) { inFiles.insert(marker) }
                start = found.upperBound
            }
        }
    }

    /// Why the ledger has a number; nil if it has not.
    func reason(of seq: Int64) -> String? { ledger.first { $0.seqs.contains(seq) }?.reason }
}
