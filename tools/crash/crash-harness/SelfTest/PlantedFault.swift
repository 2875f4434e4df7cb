import Foundation
import GRDB
import TrackingCore

/// An error that is added to a valid log, and the kind that must be reported.
struct PlantedFault: Sendable {
    let name: String
    let expected: Fault
    let plant: @Sendable (_ folder: String, _ runs: inout [Int: RunNotes]) throws -> Void

    static let all: [PlantedFault] = inDatabase + inLedger + inNotes + inSink + inCollector

    static let removeEvent = sql("event removed", .lost, "DELETE FROM events WHERE seq = 100")

    private static func sql(_ name: String, _ expected: Fault, _ statements: String) -> PlantedFault {
        rows(name, expected) { db in try db.execute(sql: statements) }
    }

    private static func rows(
        _ name: String, _ expected: Fault, _ change: @escaping @Sendable (Database) throws -> Void
    ) -> PlantedFault {
        PlantedFault(name: name, expected: expected) { folder, _ in
            let database = try DatabaseQueue(path: folder + "/events.sqlite")
            try database.write(change)
            try database.close()
        }
    }

    private static func line(_ seq: Int64, _ db: Database) throws -> String {
        try String.fetchOne(db, sql: "SELECT CAST(line AS TEXT) FROM events WHERE seq = ?", arguments: [seq]) ?? ""
    }

    /// Stores a row that matches its line.
    private static func insert(_ line: String, _ db: Database) throws {
        let container = try RecordedContainer(line: Array(line.utf8))
        try db.execute(
            sql: "INSERT INTO events (seq, id, time, name, line) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                container.seq, Data(container.id.bytes), container.time.microseconds, container.name,
                Data(container.line),
            ])
    }

    private static let inDatabase = [
        removeEvent,
        sql("last event removed", .lost, "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)"),
        sql("number without explanation", .unexplained, "DELETE FROM events WHERE seq = 101"),
        rows("event twice, under a new id and number", .doubled) { db in
            let line = try line(20, db).replacing(/"seq":20,/, with: "\"seq\":100000,")
            try insert(line.replacing(/"id":"0/, with: "\"id\":\"1"), db)
        },
        sql(
            "byte of an event altered", .altered,
            """
            UPDATE events SET line = CAST(replace(CAST(line AS TEXT), '"padding":"', '"padding":"x') AS BLOB)
                WHERE seq = 50
            """),
        sql("line torn", .unreadable, "UPDATE events SET line = substr(line, 1, 60) WHERE seq = 50"),
        sql("number of a row changed", .unreadable, "UPDATE events SET seq = 100000 WHERE seq = 50"),
        rows("two events change numbers", .misnumbered) { db in
            let (one, other) = (try line(50, db), try line(51, db))
            try db.execute(sql: "DELETE FROM events WHERE seq IN (50, 51)")
            try insert(one.replacing(/"seq":50,/, with: "\"seq\":51,"), db)
            try insert(other.replacing(/"seq":51,/, with: "\"seq\":50,"), db)
        },
    ]

    private static let ledgerRow = "INSERT INTO ledger (reason, consumer, count, first_seq, last_seq) VALUES"

    private static let inLedger = [
        sql("event in the ledger too", .explainedTwice, "\(ledgerRow) ('interrupted', '', 1, 7, 7)"),
        sql("ledger counts too few", .explainedTwice, "\(ledgerRow) ('interrupted', '', 1, 900, 903)"),
        sql(
            "lost, and explained away", .lost,
            "DELETE FROM events WHERE seq = 9; \(ledgerRow) ('interrupted', '', 1, 9, 9)"),
    ]

    private static let inNotes = [
        PlantedFault(name: "one more was acknowledged", expected: .lost) { _, runs in
            runs[2] = runs[2]?.claimingOneMore(seq: 5_000)
        },
        PlantedFault(name: "a number was assigned twice", expected: .receiptTwice) { _, runs in
            runs[2] = runs[2]?.claimingOneMore(seq: 5)
        },
        PlantedFault(name: "an event that was never sent", expected: .invented) { _, runs in
            runs[1] = RunNotes(run: 1, begun: [0, 0], seqs: [[], []])
        },
        PlantedFault(name: "a refused event is there", expected: .keptThoughRefused) { _, runs in
            guard let notes = runs[1] else { return }
            var seqs = notes.seqs
            seqs[0][3] = 0
            runs[1] = RunNotes(run: 1, begun: notes.begun, seqs: seqs)
        },
    ]

    private static func sink(
        _ name: String, _ expected: Fault, isTorn: Bool = false, _ change: @escaping @Sendable (inout [String]) -> Void
    ) -> PlantedFault {
        PlantedFault(name: "sink: " + name, expected: expected) { folder, _ in
            let path = folder + "/events.jsonl"
            try LinesOfFileText(path).write(to: path, isTorn: isTorn, change)
        }
    }

    private static func collector(
        _ name: String, _ expected: Fault, _ change: @escaping @Sendable (inout [String]) -> Void
    ) -> PlantedFault {
        PlantedFault(name: "collector: " + name, expected: expected) { folder, _ in
            let path = folder + "/collector.log"
            try LinesOfFileText(path).write(to: path, change)
        }
    }

    private static let inCollector = [
        collector("batch missing", .collectorLost) { $0.removeLast() },
        collector("batch under another id", .collectorTwice) {
            $0.append($0[0].replacing(/"id":"./, with: "\"id\":\"x"))
        },
        collector("batch with other bytes", .collectorAltered) {
            $0.append($0[0].replacing(/"checksum":[0-9]+/, with: "\"checksum\":1"))
        },
    ]

    private static let inSink = [
        sink("line missing", .sinkLost) { $0.remove(at: 2) },
        sink("last line missing", .sinkLost) { $0.removeLast() },
        sink("line twice", .sinkDoubled) { $0.insert($0[2], at: 3) },
        sink("two lines change places", .sinkDoubled) { $0.swapAt(2, 3) },
        sink("byte altered", .sinkAltered) { $0[2] = $0[2].replacing("crash-token", with: "crash-tokem") },
        sink("last line torn", .sinkAltered, isTorn: true) { _ in },
        sink("line that the log has not", .sinkInvented) {
            $0.append($0[2].replacing(/"seq":[0-9]+,/, with: "\"seq\":99999,"))
        },
        PlantedFault(name: "sink: file set aside", expected: .sinkSetAside) { folder, _ in
            try Data().write(to: URL(fileURLWithPath: folder + "/events.jsonl.damaged-1"))
        },
    ]
}
