internal import DeliveryProtocol
internal import Primitives

struct FrameLocation: Equatable {
    var segment: Int64
    var offset: Int64
    /// In bytes, header included.
    var length: Int
}

/// Adds frames to the index, both when they are written and when the index is rebuilt, with the same rows as a
/// result. For the writer thread, in a transaction.
final class IndexWriter {
    let connection: IndexConnection
    /// A cache of schema ids. A rollback invalidates it.
    private var schemaIDs: [String: Int64] = [:]

    /// At least the number of ranges and ledger rows of each install that was asked for. A rollback invalidates it.
    var mostRanges: [Int64: Int] = [:]
    /// How many rows the current submission may still read and write.
    private(set) var rowsLeft = Int.max

    init(_ connection: IndexConnection) { self.connection = connection }

    /// Clears the caches after a rollback.
    func forget() {
        schemaIDs = [:]
        mostRanges = [:]
    }

    /// The most rows of the index that a submission may read and write for its ranges, its users and schemas, and its known
    /// lines: about 10 ms.
    static let maximumRows = 8_000

    /// Runs `body`, which decides about one submission, with at most ``maximumRows``. Imports, and reading segments,
    /// have no limit.
    func limitingRows<Result>(_ body: () throws -> Result) rethrows -> Result {
        rowsLeft = Self.maximumRows
        defer { rowsLeft = .max }
        return try body()
    }

    /// - Throws: ``StoreError`` with `tooMuchWork`.
    func spend(_ rows: Int) throws {
        rowsLeft -= rows
        guard rowsLeft >= 0 else {
            throw StoreError(
                .tooMuchWork,
                "the batch needs more than \(Self.maximumRows) rows of the index: ranges, users, schemas, hashes; split the batch"
            )
        }
    }

    struct Install {
        var id: Int64
        var secretHash: [UInt8]
        var firstSeen: Int64
        var lastSeen: Int64
        var highest: Int64
        var completeTo: Int64
    }

    func install(_ name: String) throws -> Install? {
        try connection.first(
            "SELECT id, secret_hash, first_seen, last_seen, highest, complete_to FROM installs WHERE install = ?",
            .text(name)
        ) { row in
            Install(
                id: row.int(0), secretHash: row.blob(1), firstSeen: row.int(2), lastSeen: row.int(3),
                highest: row.int(4),
                completeTo: row.int(5))
        }
    }

    func installOrNew(_ name: String, at time: Int64) throws -> Install {
        if let install = try install(name) { return install }
        try connection.run(
            "INSERT INTO installs (install, first_seen, last_seen, highest, complete_to) VALUES (?, ?, ?, 0, 0)",
            .text(name), .int(time), .int(time))
        return Install(
            id: connection.lastRowID, secretHash: [], firstSeen: time, lastSeen: time, highest: 0, completeTo: 0)
    }

    func save(_ install: Install) throws {
        try connection.run(
            """
            UPDATE installs SET secret_hash = ?, first_seen = ?, last_seen = ?, highest = ?, complete_to = ? WHERE id = ?
            """, install.secretHash.isEmpty ? .null : .blob(install.secretHash), .int(install.firstSeen),
            .int(install.lastSeen), .int(install.highest), .int(install.completeTo), .int(install.id))
    }

    /// Stores a batch's facts about its install: the secret, the fates of numbers, and the ledger.
    ///
    /// - Parameter known: The install's row, if it was read since the last change.
    /// - Returns: The install, and its missing numbers.
    func applyFacts(of frame: BatchFrame, _ known: Install? = nil) throws -> (
        install: Install, missing: [ClosedRange<Int64>]
    ) {
        var install = try known ?? installOrNew(frame.installID, at: frame.receivedAt)
        let accepted = frame.accepted
        if install.secretHash.isEmpty { install.secretHash = frame.secretHash }
        install.firstSeen = min(install.firstSeen, frame.receivedAt)
        install.lastSeen = max(install.lastSeen, frame.receivedAt)
        install.highest = max(install.highest, frame.seqs?.upperBound ?? 0, frame.lines.last?.seq ?? 0)
        install.highest = max(install.highest, frame.removed.last?.upperBound ?? 0, frame.erased.last?.upperBound ?? 0)
        let rejected = frame.rejected.compactMap(\.rejection.seq).filter { frame.seqs?.contains($0) ?? false }
        var pieces: [Piece] = accepted.map { ($0, .stored) }
        pieces += frame.gone.map { ($0, .erased) }
        pieces += rejected.map { ($0...$0, .refused) }
        pieces += frame.absent.compactMap { range in NumberFate(range.reason).map { (range.seqs, $0) } }
        pieces += try apply(frame.ledger, to: &install)
        try raise(install.id, pieces)
        var missing: [ClosedRange<Int64>] = []
        if let all = accepted.first, accepted.count == 1, all.upperBound == install.highest,
            all.lowerBound <= install.completeTo + 1
        {
            install.completeTo = install.highest  // the usual case, without reading the ranges
        } else {
            missing = try advance(&install)
        }
        try save(install)
        return (install, missing)
    }

    /// Stores the location of a batch, and how its lines are found.
    ///
    /// - Parameter hashes: The hashes of its lines, from ``BatchFrame/hashes()``.
    func applyContent(
        of frame: BatchFrame, install: Int64, number: Int64, at location: FrameLocation, hashes: [UInt8]
    )
        throws
    {
        try insertRuns(of: frame, install: install, number: number, hashes: hashes)
        let users = Set(frame.lines.map(\.user)).map { LineDigest.userKey(frame.users[$0]) }.sorted()
        let schemas = try Set(frame.lines.map(\.schema)).map { try schemaID(frame.schemas[$0]) }.sorted()
        for user in Set(users) {
            try spend(1)
            try connection.run("INSERT INTO batch_users (user, receipt) VALUES (?, ?)", .int(user), .int(number))
        }
        for schema in schemas {
            try spend(1)
            try connection.run(
                "INSERT INTO batch_schemas (schema, receipt) VALUES (?, ?)", .int(schema), .int(number))
        }
        let times = frame.lines.lazy.map(\.time)
        try connection.run(
            """
            INSERT INTO batches (receipt, install, key, digest, received_at, first, last, lines, min_time, max_time,
                segment, offset, length, users, schemas)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .int(number), .int(install), frame.key.isEmpty ? .null : .blob(frame.key), .blob(frame.digest),
            .int(frame.receivedAt), .optional(frame.seqs?.lowerBound), .optional(frame.seqs?.upperBound),
            .int(frame.lines.count), .optional(times.min()), .optional(times.max()), .int(location.segment),
            .int(location.offset), .int(location.length), .blob(Self.packed(users)), .blob(Self.packed(schemas)))
        if !frame.lines.isEmpty {
            try connection.run("INSERT INTO hashes (receipt, bytes) VALUES (?, ?)", .int(number), .blob(hashes))
        }
        for message in frame.messages {
            try remember(message, install: install, frame: number, at: frame.receivedAt)
        }
        for record in frame.rejected {
            try spend(1)
            try connection.run(
                "INSERT INTO rejects (receipt, line, install, seq, code) VALUES (?, ?, ?, ?, ?)", .int(number),
                .int(record.rejection.line), .int(install), .optional(record.rejection.seq),
                .text(record.rejection.code))
        }
    }

    /// Removes a batch's rows, except the facts about its numbers.
    func removeContent(of number: Int64) throws {
        let found = try connection.first("SELECT users, schemas FROM batches WHERE receipt = ?", .int(number)) {
            row in
            (Self.unpacked(row.blob(0)), Self.unpacked(row.blob(1)))
        }
        guard let (users, schemas) = found else { return }
        for user in users {
            try connection.run("DELETE FROM batch_users WHERE user = ? AND receipt = ?", .int(user), .int(number))
        }
        for schema in schemas {
            try connection.run(
                "DELETE FROM batch_schemas WHERE schema = ? AND receipt = ?", .int(schema), .int(number))
        }
        try connection.run("DELETE FROM hashes WHERE receipt = ?", .int(number))
        try connection.run("DELETE FROM rejects WHERE receipt = ?", .int(number))
        try connection.run("DELETE FROM batches WHERE receipt = ?", .int(number))
    }

    private func insertRuns(of frame: BatchFrame, install: Int64, number: Int64, hashes: [UInt8]) throws {
        var start = 0
        while start < frame.lines.count {
            var end = start + 1
            while end < frame.lines.count, frame.lines[end].seq == frame.lines[end - 1].seq + 1 { end += 1 }
            try spend(1)
            try connection.run(
                "INSERT INTO runs (install, first, last, receipt, ordinal, hash) VALUES (?, ?, ?, ?, ?, ?)",
                .int(install),
                .int(frame.lines[start].seq), .int(frame.lines[end - 1].seq), .int(number), .int(start),
                .int(Int64(bitPattern: LineDigest.sum(hashes, start..<end))))
            start = end
        }
    }

    private func schemaID(_ schema: String) throws -> Int64 {
        if let id = schemaIDs[schema] { return id }
        try spend(2)
        try connection.run(
            "INSERT OR IGNORE INTO schemas (schema, name) VALUES (?, ?)", .text(schema),
            .text(String(schema.prefix { $0 != "/" })))
        let id = try connection.first("SELECT id FROM schemas WHERE schema = ?", .text(schema)) { $0.int(0) } ?? 0
        if schemaIDs.count >= 10_000 { schemaIDs = [:] }
        schemaIDs[schema] = id
        return id
    }

    /// Packs numbers as eight bytes each.
    static func packed(_ numbers: [Int64]) -> [UInt8] {
        var writer = ByteWriter()
        for number in numbers { writer.fixed(number) }
        return writer.bytes
    }

    static func unpacked(_ bytes: [UInt8]) -> [Int64] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
            }
        }
    }
}
