internal import DeliveryProtocol
internal import Primitives

extension IndexWriter {
    /// Applies an install's erasure: the fates of its numbers, and the limit below which the user's lines are not stored.
    ///
    /// - Parameter location: Where the frame is, if it still has the user's id.
    func apply(_ frame: ErasureFrame, number: Int64, at location: FrameLocation?) throws {
        var install = try installOrNew(frame.installID, at: frame.receivedAt)
        if install.secretHash.isEmpty { install.secretHash = frame.secretHash }
        install.firstSeen = min(install.firstSeen, frame.receivedAt)
        install.lastSeen = max(install.lastSeen, frame.receivedAt)
        install.highest = max(install.highest, frame.named.last?.upperBound ?? 0)
        try raise(install.id, frame.erased.map { ($0, .erased) } + frame.named.map { ($0, ErasureFrame.namedFate) })
        _ = try advance(&install)
        try save(install)
        try insert(KeptErasure(frame, number: number), install: install.id)
        try move(erasure: number, to: frame.user == nil ? nil : location)
    }

    /// Stores an erasure, unless it is known.
    func insert(_ erasure: KeptErasure, install: Int64) throws {
        var named = ByteWriter()
        named.ranges(erasure.named)
        try connection.run(
            """
            INSERT OR IGNORE INTO erasures (frame, install, key, digest, user, through, named, events, kept)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .int(erasure.frame), .int(install), .blob(erasure.key), .blob(erasure.digest),
            .blob(erasure.userKey), .int(erasure.through), .blob(named.bytes), .int(erasure.events),
            .int(erasure.kept))
    }

    /// Notes where the frame of an erasure is.
    ///
    /// - Parameter location: nil if its segments are rewritten, or removed.
    func move(erasure number: Int64, to location: FrameLocation?) throws {
        try connection.run(
            "UPDATE erasures SET segment = ?, offset = ?, length = ? WHERE frame = ?", .optional(location?.segment),
            .optional(location?.offset), .optional(location.map { Int64($0.length) }), .int(number))
    }

    /// Whether an install has erased a user.
    func hasErasures(_ install: Int64) throws -> Bool {
        try connection.first("SELECT 1 FROM erasures WHERE install = ? LIMIT 1", .int(install)) { _ in true } ?? false
    }

    /// The number up to which an install's lines of a user are not stored; nil if it has not erased the user.
    ///
    /// - Parameter user: ``ErasureFrame/userKey``.
    func erased(_ install: Int64, user: [UInt8]) throws -> Int64? {
        try connection.first(
            "SELECT max(through) FROM erasures WHERE install = ? AND user = ?", .int(install), .blob(user)
        ) { $0.optionalInt(0) } ?? nil
    }

    /// Whether a batch of an install after a receipt has rejected lines.
    func hasRejects(_ install: Int64, after receipt: Int64) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM rejects WHERE receipt > ? AND install = ? LIMIT 1", .int(receipt), .int(install)
        ) { _ in true } ?? false
    }

    /// An install's erasure with this id; nil if it is unknown.
    func erasure(of install: Int64, named installID: String, key: [UInt8]) throws -> KeptErasure? {
        try connection.first(
            """
            SELECT frame, digest, user, through, named, events, kept FROM erasures WHERE install = ? AND key = ?
            """, .int(install), .blob(key)
        ) { row in
            KeptErasure(
                frame: row.int(0), installID: installID, key: key, digest: row.blob(1), userKey: row.blob(2),
                through: row.int(3), named: try Self.ranges(row.blob(4)), events: row.int(5), kept: row.int(6))
        }
    }

    /// The erasures of an install, which an expiry frame repeats.
    func erasures(of install: Int64, named installID: String) throws -> [KeptErasure] {
        var erasures: [KeptErasure] = []
        try connection.forEach(
            """
            SELECT frame, key, digest, user, through, named, events, kept FROM erasures WHERE install = ? ORDER BY frame
            """, .int(install)
        ) { row in
            erasures.append(
                KeptErasure(
                    frame: row.int(0), installID: installID, key: row.blob(1), digest: row.blob(2),
                    userKey: row.blob(3), through: row.int(4), named: try Self.ranges(row.blob(5)),
                    events: row.int(6), kept: row.int(7)))
        }
        return erasures
    }

    /// The batches of an install after a receipt that may have lines of a user.
    func batches(of install: Int64, withUser user: String, after receipt: Int64) throws -> [Int64] {
        var receipts: [Int64] = []
        try connection.forEach(
            """
            SELECT b.receipt FROM batch_users u JOIN batches b ON b.receipt = u.receipt
            WHERE u.user = ? AND u.receipt > ? AND b.install = ? ORDER BY b.receipt
            """, .int(LineDigest.userKey(user)), .int(receipt), .int(install)
        ) { receipts.append($0.int(0)) }
        return receipts
    }
}
