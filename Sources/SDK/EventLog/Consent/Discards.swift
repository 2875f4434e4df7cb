internal import EventModel
internal import Foundation
import GRDB
internal import JSONLines
internal import Primitives

/// Rows of the table `discards`: users whose undelivered events must be removed, up to a number. A mover discards such
/// events, which covers events that were in a journal at the time. It also discards all events of users who have opted
/// out, in case a sender did not know about the opt-out.
///
/// A row stays until the events' bytes are removed from the files.
struct Discards {
    private let through: [String: Int64]
    private let denied: Set<String>
    /// Users known only by their keys. Computing a key needs a SHA-256 for each event, but there are rarely such users.
    private let throughOfKeys: [UInt64: Int64]
    private let deniedKeys: Set<UInt64>

    /// Loads the events to discard now.
    init(_ db: Database) throws {
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id, through_seq FROM discards"))
        through = try Dictionary(
            rows.map { (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1)) },
            uniquingKeysWith: max)
        throughOfKeys = Dictionary(
            through.compactMap { stored, seq in Consents.key(inReference: stored).map { ($0, seq) } },
            uniquingKeysWith: max)
        denied = try Consents.denied(db)
        deniedKeys = Set(denied.compactMap(Consents.key(inReference:)))
    }

    /// Whether any user's events must be removed.
    var hasMarks: Bool { !through.isEmpty }

    /// Whether an event must be discarded.
    func covers(seq: Int64, line: UnsafeRawBufferPointer) -> Bool {
        guard !through.isEmpty || !denied.isEmpty, let user = Self.user(of: line) else { return false }
        if denied.contains(user) || seq <= through[user] ?? 0 { return true }
        guard !deniedKeys.isEmpty || !throughOfKeys.isEmpty else { return false }
        let key = ConsentMirror.key(of: user)
        return deniedKeys.contains(key) || seq <= throughOfKeys[key] ?? 0
    }

    /// Marks a user's events up to a number.
    static func mark(_ userID: String, through seq: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO discards (user_id, through_seq) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET through_seq = max(through_seq, excluded.through_seq)
                """, arguments: [userID, seq])
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

    /// Removes a user's stored events that at least one consumer has not received. Each is counted as
    /// ``DropReason/optedOut``.
    ///
    /// - Parameters:
    ///   - seq: The number where the previous step ended.
    ///   - end: The last number that may be removed.
    ///   - limit: How many events to check.
    /// - Returns: The number where this step ended; nil at the end of the log.
    static func removeStored(
        of userID: String, after seq: Int64, through end: Int64 = .max, limit: Int, _ db: Database
    ) throws -> Int64? {
        if seq <= 0 { try removeApart(of: userID, db) }
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
                line?.withUnsafeBytes { names(userID, $0) } ?? false
            }
            if isTheirs { theirs.append(number) }
        }
        // Their bytes are still in the files.
        if !theirs.isEmpty { try mark(userID, through: EventRow.lastSeq(db), db) }
        for number in theirs {
            try Ledger.add(.optedOut, count: 1, seqs: number...number, db)
            try EventRow.delete(number...number, db)
        }
        return last
    }

    /// Removes a user's dead letters and copies, and the original events of the copies, which no server has received.
    private static func removeApart(of userID: String, _ db: Database) throws {
        let isTheirs: (UnsafeRawBufferPointer) -> Bool = { names(userID, $0) }
        var hasTraces = try DeadLetters.remove(where: isTheirs, db).count > 0
        for id in try Copies.remove(because: .optedOut, where: isTheirs, db) {
            hasTraces = true
            let seq = try Int64.fetchOne(db, sql: "SELECT seq FROM events WHERE id = ?", arguments: [Data(id.bytes)])
            guard let seq else { continue }
            try Ledger.add(.optedOut, count: 1, seqs: seq...seq, db)
            try EventRow.delete(seq...seq, db)
        }
        // Their bytes are still in the files.
        if hasTraces { try mark(userID, through: EventRow.lastSeq(db), db) }
    }

    /// Whether a line is an event of a user, given by id or ``Consents/reference(_:)``.
    private static func names(_ userID: String, _ line: UnsafeRawBufferPointer) -> Bool {
        guard let user = user(of: line) else { return false }
        return user == userID || Consents.key(inReference: userID).map { $0 == ConsentMirror.key(of: user) } ?? false
    }

    /// The user of a line; nil if it has none.
    static func user(of line: UnsafeRawBufferPointer) -> String? {
        guard case .string(let user)? = JSONValue(validating: line)?[.userID] else { return nil }
        return user
    }
}
