internal import EventModel
internal import Foundation
import GRDB
internal import JSONLines
internal import Primitives

/// Rows of the table `discards`: people whose undelivered events must be removed, up to a number. A mover discards such
/// events, which covers events that were in a journal at the time. It also discards all events of people who have opted
/// out, in case a sender did not know about the opt-out.
///
/// A row stays until the events' bytes are removed from the files.
struct Discards {
    private let marks: [UInt64: (through: Int64, reason: DropReason)]
    private let rules: ConsentRules
    private let mayStoreAll: Bool
    private static let everyone = ConsentMirror.key(of: ConsentRule.everyone)

    /// Loads the events to discard now.
    ///
    /// - Parameter others: As in ``ConsentRules``.
    init(_ db: Database, and others: [UInt64: ConsentRecord] = [:]) throws {
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id, through_seq, reason FROM discards"))
        marks = try Dictionary(
            rows.map {
                (Consents.key(ofStored: try $0.decode(atIndex: 0)), (try $0.decode(atIndex: 1), try Self.reason($0)))
            },
            uniquingKeysWith: { $0.through > $1.through ? $0 : $1 })
        rules = try ConsentRules(db, and: others)
        mayStoreAll = rules.holds(\.mayStore)
    }

    /// Whether any person's events must be removed.
    var hasMarks: Bool { !marks.isEmpty }

    /// The reason why an event must be discarded; nil if it is stored.
    func reason(seq: Int64, line: UnsafeRawBufferPointer) -> DropReason? {
        guard hasMarks || !mayStoreAll else { return nil }
        let user = Self.user(of: line)
        if hasMarks {
            for case let key? in [Self.everyone, user.map(rules.key)] {
                if let mark = marks[key], seq <= mark.through { return mark.reason }
            }
        }
        return rules.rule(of: user).mayStore ? nil : .optedOut
    }

    /// Marks a person's events up to a number.
    static func mark(_ person: String, because reason: DropReason, through seq: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO discards (user_id, through_seq, reason) VALUES (?, ?, ?) ON CONFLICT (user_id)
                DO UPDATE SET through_seq = max(through_seq, excluded.through_seq), reason = excluded.reason
                """, arguments: [person, seq, reason.rawValue])
    }

    /// All markers.
    static func all(_ db: Database) throws -> [(person: String, through: Int64, reason: DropReason)] {
        try Row.fetchAll(db, sql: "SELECT user_id, through_seq, reason FROM discards").map {
            (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1), try reason($0))
        }
    }

    /// Whether there are markers whose events' bytes may still be in a file.
    static func areDue(_ db: Database) throws -> Bool {
        try Int64.fetchOne(db, sql: "SELECT max(through_seq) FROM discards").map { try $0 <= EventRow.lastSeq(db) }
            ?? false
    }

    /// Deletes the markers whose events were all moved.
    static func settle(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM discards WHERE through_seq <= (SELECT last_seq FROM log)")
    }

    /// Removes a person's stored events that at least one consumer has not received, and counts them.
    ///
    /// - Parameters:
    ///   - person: Empty for all events.
    ///   - seq: The number where the previous step ended.
    ///   - end: The last number that may be removed.
    ///   - limit: How many events to check.
    /// - Returns: The number where this step ended; nil at the end of the log.
    static func removeStored(
        of person: String, because reason: DropReason, after seq: Int64, through end: Int64 = .max, limit: Int,
        _ db: Database
    ) throws -> Int64? {
        if seq <= 0 { try removeApart(of: person, because: reason, db) }
        let undelivered = try Consumers.undelivered(db)
        let start = max(seq, undelivered.first.map { $0.lowerBound - 1 } ?? EventRecord.highestSeq)
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "SELECT seq, line FROM events WHERE seq > ? ORDER BY seq LIMIT ?"),
            arguments: [start, limit])
        var theirs: [Int64] = []
        var last: Int64?
        while let row = try rows.next() {
            let number: Int64 = try row.decode(atIndex: 0)
            last = number
            guard number <= end, NumberRanges.contains(undelivered, number) else { continue }
            let isTheirs = try row.withUnsafeData(atIndex: 1) { line in
                line?.withUnsafeBytes { names(person, $0) } ?? false
            }
            if isTheirs { theirs.append(number) }
        }
        // Their bytes are still in the files.
        if !theirs.isEmpty { try mark(person, because: reason, through: EventRow.lastSeq(db), db) }
        for number in theirs {
            try Ledger.add(reason, count: 1, seqs: number...number, db)
            try EventRow.delete(number...number, db)
        }
        return last
    }

    /// Removes a person's dead letters and copies, and the original events of the copies, which no server has received.
    private static func removeApart(of person: String, because reason: DropReason, _ db: Database) throws {
        let isTheirs: (UnsafeRawBufferPointer) -> Bool = { names(person, $0) }
        var hasTraces = try DeadLetters.remove(where: isTheirs, db).count > 0
        for id in try Copies.remove(because: reason, where: isTheirs, db) {
            hasTraces = true
            let seq = try Int64.fetchOne(db, sql: "SELECT seq FROM events WHERE id = ?", arguments: [Data(id.bytes)])
            guard let seq else { continue }
            try Ledger.add(reason, count: 1, seqs: seq...seq, db)
            try EventRow.delete(seq...seq, db)
        }
        // Their bytes are still in the files.
        if hasTraces { try mark(person, because: reason, through: EventRow.lastSeq(db), db) }
    }

    /// Whether a line is an event of a person, given by id or ``Consents/reference(_:)``.
    private static func names(_ person: String, _ line: UnsafeRawBufferPointer) -> Bool {
        let key = Consents.key(inReference: person)
        if person == ConsentRule.everyone || key == everyone { return true }
        guard let user = user(of: line) else { return false }
        return user == person || key.map { $0 == ConsentMirror.key(of: user) } ?? false
    }

    private static func reason(_ row: Row) throws -> DropReason {
        DropReason(rawValue: try row.decode(atIndex: 2)) ?? .optedOut
    }

    /// The user of a line; nil if it has none.
    static func user(of line: UnsafeRawBufferPointer) -> String? {
        guard case .string(let user)? = JSONValue(validating: line)?[.userID] else { return nil }
        return user
    }
}
