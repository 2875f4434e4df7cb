package import DeliveryProtocol
package import EventModel
internal import Foundation
internal import GRDB
internal import Primitives

extension BatchStore {
    /// Marks the events of one user of one install as erased, for a request of the install itself.
    ///
    /// When this returns, the marks are synced: nothing returns or forwards the events any more, and a line of the user
    /// with a number up to ``ErasureReceipt/through`` is not stored, in whatever batch it arrives. Other users' events
    /// stay, also under named numbers. No segment is rewritten: ``eraseReported()`` removes the bytes later.
    ///
    /// - Parameter receivedAt: When the request arrived.
    /// - Throws: ``StoreError`` as for a submission.
    package func erase(_ request: InstallErasure, receivedAt: EventTime) async throws(StoreError) -> ErasureOutcome {
        try await erase(try search(request, receivedAt: receivedAt))
    }

    /// Finds the events that an erasure is about. May block for the disk, never for writers: call it from a thread that
    /// may block.
    ///
    /// Complexity: O(bytes of the install's batches with the user).
    ///
    /// - Parameter receivedAt: When the request arrived.
    /// - Throws: ``StoreError``: `invalidSubmission`, `damaged` or `indexFailed`.
    package func search(_ request: InstallErasure, receivedAt: EventTime) throws(StoreError) -> SearchedErasure {
        let prepared = try PreparedErasure(request, receivedAt: receivedAt)
        do {
            return try searched(prepared)
        } catch {
            throw .index(folder.index, error)
        }
    }

    /// Marks the events of a searched erasure: see ``erase(_:receivedAt:)``. Writes one frame.
    ///
    /// - Throws: ``StoreError`` as for a submission.
    package func erase(_ searched: SearchedErasure) async throws(StoreError) -> ErasureOutcome {
        do {
            return try await onWriter { core in
                try core.erase(searched)
            }
        } catch {
            throw .index(folder.index, error)
        }
    }

    /// Reads the user's lines; none if the request is rejected or repeated.
    private func searched(_ request: PreparedErasure) throws -> SearchedErasure {
        let (found, last, hasRejects) = try index.read { db in
            let last = try Int64.fetchOne(db, sql: "SELECT value FROM meta WHERE name = 'frame'") ?? 0
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT b.receipt, b.segment, b.offset, b.length FROM installs i
                    JOIN batches b ON b.install = i.id JOIN batch_users u ON u.receipt = b.receipt
                    WHERE i.install = CAST(? AS TEXT) AND i.secret_hash = ? AND u.user = ?
                        AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.install = i.id AND e.key = ?)
                    ORDER BY b.receipt
                    """,
                arguments: [
                    ExactText(request.installID), Data(request.secretHash), LineDigest.userKey(request.user),
                    Data(request.key),
                ])
            return (
                rows.map { (receipt: $0[0] as Int64, FrameLocation(segment: $0[1], offset: $0[2], length: $0[3])) },
                last,
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM installs i JOIN batches b ON b.install = i.id
                            JOIN rejects r ON r.receipt = b.receipt WHERE i.install = ?)
                        """, arguments: [request.installID]) ?? true
            )
        }
        let reader = FrameReader(folder, options.files)
        var seqs: [ClosedRange<Int64>] = []
        for (receipt, location) in found {
            // If it vanishes, retention or another erasure has removed it.
            do { seqs += try read(receipt, at: location, with: reader).seqs(of: request.user) } catch is Vanished {
                continue
            }
        }
        return SearchedErasure(request: request, seqs: NumberRanges.union(seqs), hasRejects: hasRejects, last: last)
    }

    /// Whether segments have bytes of installs' requests, and maybe of their events, that ``eraseReported()`` removes.
    ///
    /// - Throws: ``StoreError`` with `indexFailed`.
    package func hasPendingErasures() throws(StoreError) -> Bool {
        try reading { try Bool.fetchOne($0, sql: "SELECT EXISTS (\(PendingErasure.sql))") ?? false }
    }

    /// Whether segments have bytes that ``eraseReported()`` removes, including lines that batches have reported as erased
    /// without a request.
    ///
    /// Complexity: O(ranges of numbers of all installs).
    ///
    /// - Throws: ``StoreError`` with `indexFailed`.
    package func hasErasedBytes() throws(StoreError) -> Bool {
        if try hasPendingErasures() { return true }
        return try reading { db in
            // An install's runs are apart, so only the last that begins in a range or before it can reach into it.
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM numbers n WHERE n.fate = ? AND n.first <= (
                        SELECT r.last FROM runs r WHERE r.install = n.install AND r.first <= n.last
                        ORDER BY r.first DESC LIMIT 1))
                    """, arguments: [NumberFate.erased.rawValue]) ?? false
        }
    }

    /// The erasures whose requests are still in segments. Usually none.
    func pendingErasures() throws -> [PendingErasure] {
        let found = try index.read { db in
            try Row.fetchAll(db, sql: PendingErasure.sql).map { row in
                (frame: row[0] as Int64, location: FrameLocation(segment: row[1], offset: row[2], length: row[3]))
            }
        }
        let reader = FrameReader(folder, options.files)
        return try found.compactMap { number, location in
            let frame: ErasureFrame
            do { frame = try reader.erasure(number, at: location) } catch {
                // A rewrite has moved it, or has removed the user's id; otherwise it is damaged.
                let now = try index.swap.reading {
                    try index.read { db in
                        try Row.fetchOne(db, sql: PendingErasure.sql + " AND frame = ?", arguments: [number]).map {
                            FrameLocation(segment: $0[1], offset: $0[2], length: $0[3])
                        }
                    }.map { try FrameReader(folder, options.files).erasure(number, at: $0) }
                }
                guard let now else { return nil }
                frame = now
            }
            return frame.user.map {
                PendingErasure(
                    frame: number, segment: location.segment, installID: frame.installID, user: $0,
                    through: frame.through)
            }
        }
    }
}

/// An erasure with the numbers that it is about, ready for the writer thread.
package struct SearchedErasure: Sendable {
    let request: PreparedErasure
    /// The numbers of the user's lines in the batches up to `last`.
    let seqs: [ClosedRange<Int64>]
    /// Whether batches of the install up to `last` have rejected lines.
    let hasRejects: Bool
    let last: Int64
}

/// An erasure of an install whose bytes are still in segments.
struct PendingErasure: Sendable {
    /// The number of its frame: batches after it have no bytes of the user.
    var frame: Int64
    var segment: Int64
    var installID: String
    var user: String
    var through: Int64

    static let sql = "SELECT frame, segment, offset, length FROM erasures WHERE segment IS NOT NULL"

    /// Whether a rejected line of a batch belongs to the erased events.
    func concerns(_ record: BatchFrame.RejectedRecord, of batch: BatchFrame, receipt: Int64) -> Bool {
        batch.installID == installID && receipt < frame && record.rejection.seq ?? 0 <= through && record.isOf(user)
    }
}

extension BatchFrame {
    /// The numbers of a user's lines.
    func seqs(of user: String) -> [ClosedRange<Int64>] {
        guard let wanted = users.firstIndex(of: user) else { return [] }
        return NumberRanges.ranges(of: lines.filter { $0.user == wanted }.map(\.seq))
    }

    /// Removes the bytes of rejected lines that erasures concern.
    ///
    /// - Returns: How many there are.
    @discardableResult
    mutating func dropRejects(of erasures: [PendingErasure], receipt: Int64) -> Int {
        guard !erasures.isEmpty else { return 0 }
        var count = 0
        for (index, record) in rejected.enumerated()
        where erasures.contains(where: { $0.concerns(record, of: self, receipt: receipt) }) {
            rejected[index] = record.erased
            count += 1
        }
        return count
    }
}

extension StoreCore {
    /// Decides about an erasure, and writes its marks with one sync.
    func erase(_ searched: SearchedErasure) throws -> ErasureOutcome {
        let request = searched.request
        return try onSoundIndex {
            try append { segment in
                let judge = judge()
                let verdict = try judge.verdict(on: request) { install in
                    let newer = try index.writer.batches(of: install, withUser: request.user, after: searched.last)
                    return NumberRanges.union(
                        try newer.reduce(into: searched.seqs) { $0 += try batch($1).seqs(of: request.user) })
                } hasRejects: { install in
                    try searched.hasRejects || index.writer.hasRejects(install, after: searched.last)
                }
                switch verdict {
                case .again(let receipt): return .accepted(receipt, isRepeat: true)
                case .reject(let outcome): return outcome
                case .store(let frame):
                    let (number, location) = add(.erasure(frame), at: frame.receivedAt, to: segment)
                    try index.writer.apply(frame, number: number, at: location)
                    return .accepted(frame.receipt(collector: judge.collector, number: number), isRepeat: false)
                }
            }
        }
    }
}
