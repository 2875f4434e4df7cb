internal import DeliveryProtocol
internal import EventModel

extension IndexWriter {
    /// The number of a message that is remembered; nil if it is unknown or older than `cutoff`.
    ///
    /// - Parameter cutoff: In microseconds since 1970.
    func seq(ofMessage key: [UInt8], install: Int64, since cutoff: Int64) throws -> Int64? {
        try connection.first(
            "SELECT seq FROM messages WHERE install = ? AND key = ? AND received_at >= ?", .int(install),
            .blob(key), .int(cutoff)
        ) { $0.int(0) }
    }

    /// The number after which messages of an install get theirs: its highest.
    ///
    /// Clients of earlier versions could announce any numbers of such an install. If the highest leaves too few, it is the
    /// last one of a line or a rejected message that leaves enough.
    ///
    /// - Throws: ``StoreError`` with `invalidSubmission` if its successors have lines, or are erased.
    func lastNumber(of install: Install, before count: Int) throws -> Int64 {
        let limit = EventRecord.highestSeq - Int64(count)
        guard install.highest > limit else { return install.highest }
        let last =
            try connection.first(
                "SELECT max(last) FROM numbers WHERE install = ? AND fate IN (4, 5) AND last <= ?", .int(install.id),
                .int(limit)
            ) { $0.int(0) } ?? 0
        guard try numbers(install.id, in: last + 1...last + Int64(count)).allSatisfy({ $0.fate < .stored }) else {
            throw StoreError(
                .invalidSubmission,
                "an install of other systems' clients has no number left; stop the collector, and run 'collector doctor --fix'"
            )
        }
        return last
    }

    /// Remembers a message. If its key is known, the later of the two remains.
    func remember(_ message: BatchFrame.MessageKey, install: Int64, frame: Int64, at time: Int64) throws {
        try connection.run(
            """
            INSERT INTO messages (install, key, seq, frame, received_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (install, key) DO UPDATE SET seq = excluded.seq, frame = excluded.frame,
                received_at = excluded.received_at
            WHERE excluded.received_at >= received_at
            """, .int(install), .blob(message.key), .int(message.seq), .int(frame), .int(time))
    }

    /// Forgets the messages that were received before `cutoff`, in microseconds since 1970.
    func forgetMessages(before cutoff: Int64) throws {
        try connection.run("DELETE FROM messages WHERE received_at < ?", .int(cutoff))
    }

    /// The messages of these frames that are remembered, by install and key.
    func messages(ofFrames frames: ClosedRange<Int64>, since cutoff: Int64) throws
        -> [ExpiryFrame.RememberedMessage]
    {
        var found: [ExpiryFrame.RememberedMessage] = []
        try connection.forEach(
            """
            SELECT i.install, m.key, m.seq, m.received_at FROM messages m JOIN installs i ON i.id = m.install
            WHERE m.received_at >= ? AND m.frame BETWEEN ? AND ? ORDER BY i.install, m.key
            """, .int(cutoff), .int(frames.lowerBound), .int(frames.upperBound)
        ) { row in
            found.append(
                .init(
                    installID: row.text(0), message: .init(seq: row.int(2), key: row.blob(1)),
                    receivedAt: row.int(3)))
        }
        return found
    }
}
