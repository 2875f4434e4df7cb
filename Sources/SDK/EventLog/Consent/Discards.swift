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
    /// The removal of a person's events that at least one consumer has not received.
    struct Removal {
        /// The id of the person, or ``Consents/reference(_:)``; empty for everyone.
        let person: String
        let reason: DropReason
        /// The last number that may be removed.
        let end: Int64

        init(of person: String, because reason: DropReason, through end: Int64) {
            self.person = person
            self.reason = reason
            self.end = end
        }

        /// From a row of ``Discards/all(_:)``.
        init(_ row: Row) throws {
            person = try row.decode(atIndex: 0)
            reason = DropReason(rawValue: try row.decode(atIndex: 1)) ?? .optedOut
            end = try row.decode(atIndex: 2)
        }

        /// Whether a line is an event to remove.
        fileprivate func includes(_ line: UnsafeRawBufferPointer) -> Bool {
            let key = Consents.key(inReference: person)
            if person == ConsentRule.everyone || key == Discards.everyone { return true }
            guard let user = Discards.user(of: line) else { return false }
            return user == person || key.map { $0 == ConsentMirror.key(of: user) } ?? false
        }
    }

    private let marks: [UInt64: Removal]
    private let rules: ConsentRules
    private let mayStoreAll: Bool
    fileprivate static let everyone = ConsentMirror.key(of: ConsentRule.everyone)

    /// Loads the events to discard now.
    ///
    /// - Parameter others: As in ``ConsentRules``.
    init(_ db: Database, and others: [UInt64: ConsentRecord] = [:]) throws {
        marks = try Dictionary(
            Self.all(db).map { (Consents.key(ofStored: $0.person), $0) },
            uniquingKeysWith: { $0.end > $1.end ? $0 : $1 })
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
                if let mark = marks[key], seq <= mark.end { return mark.reason }
            }
        }
        return rules.rule(of: user).mayStore ? nil : .optedOut
    }

    /// Stores the marker of a removal.
    static func mark(_ removal: Removal, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO discards (user_id, reason, through_seq) VALUES (?, ?, ?) ON CONFLICT (user_id)
                DO UPDATE SET through_seq = max(through_seq, excluded.through_seq), reason = excluded.reason
                """, arguments: [removal.person, removal.reason.rawValue, removal.end])
    }

    /// All markers.
    static func all(_ db: Database) throws -> [Removal] {
        try Row.fetchAll(try db.cachedStatement(sql: "SELECT user_id, reason, through_seq FROM discards"))
            .map(Removal.init)
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

    /// Removes the stored events of a removal, and counts them.
    ///
    /// - Parameters:
    ///   - seq: The number where the previous step ended.
    ///   - limit: How many events to check.
    /// - Returns: The number where this step ended; nil at the end of the log.
    static func removeStored(_ removal: Removal, after seq: Int64, limit: Int, _ db: Database) throws -> Int64? {
        if seq <= 0 { try removeApart(removal, db) }
        let undelivered = try Consumers.undelivered(db)
        let start = max(seq, undelivered.first.map { $0.lowerBound - 1 } ?? EventRecord.highestSeq)
        let rows = try Row.fetchCursor(
            try db.cachedStatement(
                sql: "SELECT seq, line FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"),
            arguments: [start, removal.end, limit])
        var theirs: [Int64] = []
        var last: Int64?
        while let row = try rows.next() {
            let number: Int64 = try row.decode(atIndex: 0)
            last = number
            guard NumberRanges.contains(undelivered, number) else { continue }
            let isTheirs = try row.withUnsafeData(atIndex: 1) { line in
                line?.withUnsafeBytes(removal.includes) ?? false
            }
            if isTheirs { theirs.append(number) }
        }
        if !theirs.isEmpty { try markTraces(of: removal, db) }
        for number in theirs {
            try Ledger.add(removal.reason, count: 1, seqs: number...number, db)
            try EventRow.delete(number...number, db)
        }
        return last
    }

    /// Removes the dead letters and copies of a removal, and the original events of the copies, which no server has
    /// received.
    private static func removeApart(_ removal: Removal, _ db: Database) throws {
        var hasTraces = try DeadLetters.remove(where: removal.includes, db).count > 0
        for id in try Copies.remove(because: removal.reason, where: removal.includes, db) {
            hasTraces = true
            let seq = try Int64.fetchOne(db, sql: "SELECT seq FROM events WHERE id = ?", arguments: [Data(id.bytes)])
            guard let seq else { continue }
            try Ledger.add(removal.reason, count: 1, seqs: seq...seq, db)
            try EventRow.delete(seq...seq, db)
        }
        if hasTraces { try markTraces(of: removal, db) }
    }

    /// The bytes of removed events are still in the files.
    private static func markTraces(of removal: Removal, _ db: Database) throws {
        let end = min(removal.end, try EventRow.lastSeq(db))
        try mark(Removal(of: removal.person, because: removal.reason, through: end), db)
    }

    /// The user of a line; nil if it has none.
    static func user(of line: UnsafeRawBufferPointer) -> String? {
        guard case .string(let user)? = JSONValue(validating: line)?[.userID] else { return nil }
        return user
    }
}
