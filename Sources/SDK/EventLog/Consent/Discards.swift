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
    /// Marks an erasure in a row's key. No event has such a purpose.
    private static let erasing: Purpose = "erased by the user"

    /// The removal of a person's events that at least one consumer has not received: those of a purpose, or all but the
    /// exempt ones. Because of ``DropReason/erased``: all events, also delivered ones.
    struct Removal {
        /// The key of the ``ConsentSubject``.
        let key: UInt64
        let reason: DropReason
        /// The last number that may be removed.
        let end: Int64

        init(at key: UInt64, because reason: DropReason, through end: Int64) {
            self.key = key
            self.reason = reason
            self.end = end
        }

        init(of subject: ConsentSubject, because reason: DropReason, through end: Int64) {
            self.init(at: subject.key, because: reason, through: end)
        }

        /// An erasure.
        init(erasing user: String, through end: Int64) {
            self.init(of: ConsentSubject(user, for: Discards.erasing), because: .erased, through: end)
        }

        /// From a row of ``Discards/all(_:)``.
        init(_ row: Row) throws {
            self.init(
                at: Consents.key(ofStored: try row.decode(atIndex: 0)),
                because: DropReason(rawValue: try row.decode(atIndex: 1)) ?? .optedOut,
                through: try row.decode(atIndex: 2))
        }

        /// Whether a line is an event to remove.
        func includes(_ line: UnsafeRawBufferPointer, for purpose: Purpose, _ rules: ConsentRules) -> Bool {
            if reason == .erased {
                return rules.keys(of: line).contains { key == ConsentMirror.key($0, for: Discards.erasing) }
            }
            return purpose != .exempt
                && rules.keys(of: line).contains { key == $0 || key == ConsentMirror.key($0, for: purpose) }
        }
    }

    private let marks: [UInt64: Removal]
    private let rules: ConsentRules

    /// Loads the events to discard now.
    init(_ db: Database, _ rules: ConsentRules) throws {
        marks = try Dictionary(
            Self.all(db).map { ($0.key, $0) }, uniquingKeysWith: { $0.end > $1.end ? $0 : $1 })
        self.rules = rules
    }

    /// Whether any person's events must be removed.
    var hasMarks: Bool { !marks.isEmpty }

    /// The reason why an event must be discarded; nil if it is stored.
    func reason(seq: Int64, line: UnsafeRawBufferPointer, purpose: Purpose) -> DropReason? {
        guard hasMarks || !rules.isUnrestricted else { return nil }
        if let removal = Self.removal(of: seq, line, for: purpose, among: marks, rules) { return removal.reason }
        return rules.rule(of: line, for: purpose).mayStore ? nil : .optedOut
    }

    /// Stores the marker of a removal.
    static func mark(_ removal: Removal, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO discards (user_id, reason, through_seq) VALUES (?, ?, ?) ON CONFLICT (user_id)
                DO UPDATE SET through_seq = max(through_seq, excluded.through_seq), reason = excluded.reason
                """, arguments: [Consents.reference(removal.key), removal.reason.rawValue, removal.end])
    }

    /// All markers.
    static func all(_ db: Database) throws -> [Removal] {
        try Row.fetchAll(try db.cachedStatement(sql: "SELECT user_id, reason, through_seq FROM discards"))
            .map(Removal.init)
    }

    /// Whether the events of removals were all moved.
    static func areDue(_ removals: [Removal], _ db: Database) throws -> Bool {
        let last = try EventRow.lastSeq(db)
        return removals.allSatisfy { $0.end <= last }
    }

    /// Deletes the markers of removals, unless a later denial of the same person has extended them.
    static func settle(_ removals: [Removal], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM discards WHERE user_id = ? AND through_seq <= ?")
        for removal in removals { try statement.execute(arguments: [Consents.reference(removal.key), removal.end]) }
    }

    /// Removes the stored events of removals, and counts them.
    ///
    /// - Parameters:
    ///   - seq: The number where the previous step ended.
    ///   - limit: How many events to check.
    ///   - note: Called with each removed line.
    /// - Returns: The number where this step ended; nil at the end of the log.
    static func removeStored(
        _ removals: [Removal], rules: ConsentRules, after seq: Int64, limit: Int, _ db: Database,
        noting note: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws -> Int64? {
        if seq <= 0 {
            for removal in removals {
                try removeApart(removal, db) { line, purpose in
                    guard removal.includes(line, for: purpose, rules) else { return false }
                    note(line)
                    return true
                }
            }
        }
        guard let end = removals.map(\.end).max() else { return nil }
        let marks = Dictionary(removals.map { ($0.key, $0) }, uniquingKeysWith: { $0.end > $1.end ? $0 : $1 })
        let all = try Consumers.undelivered(db)
        let undelivered = removals.contains { $0.reason == .erased } ? [1...EventRecord.highestSeq] : all
        let start = max(seq, undelivered.first.map { $0.lowerBound - 1 } ?? EventRecord.highestSeq)
        let rows = try Row.fetchCursor(
            try db.cachedStatement(
                sql: "SELECT seq, line, purpose FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"),
            arguments: [start, end, limit])
        var removed: [(seq: Int64, removal: Removal)] = []
        var last: Int64?
        while let row = try rows.next() {
            let number: Int64 = try row.decode(atIndex: 0)
            last = number
            guard NumberRanges.contains(undelivered, number) else { continue }
            let purpose = try Purpose(column: row.decode(atIndex: 2))
            let removal = try row.withUnsafeData(atIndex: 1) { line -> Removal? in
                guard let line else { return nil }
                return line.withUnsafeBytes { line -> Removal? in
                    let found = self.removal(of: number, line, for: purpose, among: marks, rules)
                    guard let found, found.reason == .erased || NumberRanges.contains(all, number) else { return nil }
                    note(line)
                    return found
                }
            }
            if let removal { removed.append((number, removal)) }
        }
        for key in Set(removed.map(\.removal.key)) {
            if let removal = marks[key] { try markTraces(of: removal, db) }
        }
        guard !removed.isEmpty else { return last }
        // All of them first, because deleting one may copy others.
        try Overwriting.overwrite(removed.map(\.seq), in: .events, db)
        try Overwriting.whileDeleting(db) {
            for (number, removal) in removed {
                try Ledger.add(removal.reason, count: 1, seqs: number...number, db)
                try EventRow.delete(number...number, db)
            }
        }
        return last
    }

    /// The removal that covers an event; nil if there is none.
    private static func removal(
        of seq: Int64, _ line: UnsafeRawBufferPointer, for purpose: Purpose, among marks: [UInt64: Removal],
        _ rules: ConsentRules
    ) -> Removal? {
        guard !marks.isEmpty else { return nil }
        let people = rules.keys(of: line)
        func removal(of person: UInt64, _ purpose: Purpose?) -> Removal? {
            marks[ConsentMirror.key(person, for: purpose)].flatMap { seq <= $0.end ? $0 : nil }
        }
        for person in people { if let erasure = removal(of: person, Self.erasing) { return erasure } }
        guard purpose != .exempt else { return nil }
        for person in people {
            if let denial = removal(of: person, purpose) ?? removal(of: person, nil) { return denial }
        }
        return nil
    }

    /// Removes the dead letters and copies of a removal, and the original events of the copies, which no server has
    /// received.
    private static func removeApart(
        _ removal: Removal, _ db: Database, where isTheirs: (UnsafeRawBufferPointer, Purpose) -> Bool
    ) throws {
        var hasTraces = try DeadLetters.remove(where: isTheirs, db).count > 0
        for id in try Copies.remove(because: removal.reason, where: isTheirs, db) {
            hasTraces = true
            let seq = try Int64.fetchOne(db, sql: "SELECT seq FROM events WHERE id = ?", arguments: [Data(id.bytes)])
            guard let seq else { continue }
            try Ledger.add(removal.reason, count: 1, seqs: seq...seq, db)
            try Overwriting.overwrite([seq], in: .events, db)
            try Overwriting.whileDeleting(db) { try EventRow.delete(seq...seq, db) }
        }
        if hasTraces { try markTraces(of: removal, db) }
    }

    /// The bytes of removed events are still in the files.
    private static func markTraces(of removal: Removal, _ db: Database) throws {
        let end = min(removal.end, try EventRow.lastSeq(db))
        try mark(Removal(at: removal.key, because: removal.reason, through: end), db)
    }

    /// The user of a line; nil if it has none.
    static func user(of line: UnsafeRawBufferPointer) -> String? {
        if let user = plainUser(of: line) { return user }
        guard case .string(let user)? = JSONValue(validating: line)?[.userID] else { return nil }
        return user
    }

    private static let userKey = Array(#","user_id":""#.utf8)

    /// The user of a line as this package writes it, without parsing the rest; nil for any other line. A quotation mark that
    /// is not escaped is never part of a text, so the first such key is that of the outermost object if no other object
    /// starts before.
    private static func plainUser(of line: UnsafeRawBufferPointer) -> String? {
        guard let start = line.baseAddress, line.first == UInt8(ascii: "{") else { return nil }
        /// The offset of the next byte with a value.
        func next(_ byte: UInt8, from offset: Int, to end: Int) -> Int? {
            memchr(start + offset, CInt(byte), end - offset).map { UnsafeRawPointer($0) - start }
        }
        let end = next(UInt8(ascii: "{"), from: 1, to: line.count) ?? line.count
        var comma = next(UInt8(ascii: ","), from: 1, to: end)
        while let found = comma,
            line.count - found <= userKey.count || memcmp(start + found, userKey, userKey.count) != 0
        {
            comma = next(UInt8(ascii: ","), from: found + 1, to: end)
        }
        guard let comma else { return nil }
        let text = comma + userKey.count
        guard let quote = next(UInt8(ascii: "\""), from: text, to: line.count),
            next(UInt8(ascii: "\\"), from: text, to: quote) == nil
        else { return nil }
        return String(validUTF8: UnsafeRawBufferPointer(start: start + text, count: quote - text))
    }
}
