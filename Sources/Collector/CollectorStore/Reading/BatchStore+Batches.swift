internal import DeliveryProtocol
internal import EventModel
internal import GRDB
internal import Primitives

extension BatchStore {
    /// Reads batches after a receipt, with all their rows. Lines that were reported as erased are left out.
    ///
    /// May block for the disk, never for writers: call it from a thread that may block.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of batches.
    ///   - byteLimit: The size of lines in bytes at which the result ends, after at least one batch.
    /// - Returns: The batches in the order of their receipts; and the receipt up to which the result is complete,
    ///   equal to the requested one if there are no more batches.
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func wholeBatches(
        after receipt: Int64, installID: String? = nil, limit: Int = 64, byteLimit: Int = 4 << 20
    ) throws(StoreError) -> (batches: [StoredBatch], next: Int64) {
        // Before the frames: a request that is no longer pending has changed the frames.
        let pending: [PendingErasure]
        do { pending = try pendingErasures() } catch { throw .index(folder.index, error) }
        let (found, next) = try frames(after: receipt, installID, limit: limit, byteLimit: byteLimit) { frame, batch in
            var frame = frame
            frame.dropRejects(of: pending, receipt: batch.receipt)
            return (frame, batch)
        }
        guard !found.isEmpty else { return ([], next) }
        // After the frames, so that no line is returned whose erasure was reported before.
        let erased = try reading { db in
            try found.map { try Self.erased($1.install, receipt: $1.receipt, db) }
        }
        let batches = zip(found, erased).map { batch, erased in
            StoredBatch(batch.0, receipt: batch.1.receipt, without: erased)
        }
        return (batches, next)
    }

    /// Reads the facts about batches after a receipt, faster than their rows.
    ///
    /// May block for the disk, never for writers: call it from a thread that may block.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of batches.
    ///   - byteLimit: The size of lines in bytes at which the result ends, after at least one batch.
    /// - Returns: As ``wholeBatches(after:installID:limit:byteLimit:)``.
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func facts(
        after receipt: Int64, limit: Int = 4096, byteLimit: Int = 8 << 20
    ) throws(StoreError) -> (batches: [BatchFacts], next: Int64) {
        try frames(after: receipt, nil, limit: limit, byteLimit: byteLimit) { frame, batch in
            BatchFacts(frame, receipt: batch.receipt)
        }
    }

    func frames<Batch>(
        after receipt: Int64, _ installID: String?, limit: Int, byteLimit: Int,
        _ make: (BatchFrame, Candidate) throws -> Batch
    ) throws(StoreError) -> (batches: [Batch], next: Int64) {
        do {
            let found = try located(after: receipt, installID, limit: limit)
            let reader = FrameReader(folder, options.files)
            var batches: [Batch] = []
            var next: Int64 = receipt
            var bytes = 0
            for batch in found where bytes < byteLimit {
                next = batch.receipt
                let frame: BatchFrame
                // Retention or an erasure may have removed it after the query.
                do { frame = try read(batch.receipt, at: batch.location, with: reader) } catch is Vanished { continue }
                bytes += frame.text.count
                batches.append(try make(frame, batch))
            }
            return (batches, next)
        } catch {
            throw .index(folder.index, error)
        }
    }

    /// The highest receipt that was ever given, also if its batch was removed since; 0 without any.
    ///
    /// - Throws: ``StoreError`` with `indexFailed`.
    package func lastReceipt() throws(StoreError) -> Int64 {
        try reading { try Int64.fetchOne($0, sql: "SELECT value FROM meta WHERE name = 'frame'") ?? 0 }
    }

    /// The receipt of the newest batch; 0 without batches.
    ///
    /// - Throws: ``StoreError`` with `indexFailed`.
    package func newestReceipt() throws(StoreError) -> Int64 {
        try reading { try Int64.fetchOne($0, sql: "SELECT max(receipt) FROM batches") ?? 0 }
    }

    /// The receipt after which the newest `count` lines are stored: whole batches, so there may be more. Rejected
    /// lines, duplicates and held numbers do not count.
    ///
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func receipt(beforeNewest count: Int) throws(StoreError) -> Int64 {
        guard count > 0 else { return try newestReceipt() }
        return try reading { db in
            var left = count
            let rows = try Row.fetchCursor(db, sql: "SELECT receipt, lines FROM batches ORDER BY receipt DESC")
            while let row = try rows.next() {
                let receipt: Int64 = row[0]
                let lines: Int = row[1]
                left -= lines
                if left <= 0 { return receipt - 1 }
            }
            return 0
        }
    }

    private func located(after receipt: Int64, _ installID: String?, limit: Int) throws -> [Candidate] {
        try index.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT receipt, segment, offset, length, install FROM batches
                    WHERE receipt > ?\(installID == nil
                        ? "" : " AND install = (SELECT id FROM installs WHERE install = CAST(? AS TEXT))")
                    ORDER BY receipt LIMIT ?
                    """)
            let arguments: StatementArguments =
                [receipt] + (installID.map { [ExactText($0)] } ?? []) + [max(1, limit)]
            return try Row.fetchAll(statement, arguments: arguments).map { row in
                Candidate(
                    receipt: row[0], location: FrameLocation(segment: row[1], offset: row[2], length: row[3]),
                    install: row[4])
            }
        }
    }
}

extension StoredBatch {
    fileprivate init(_ frame: BatchFrame, receipt: Int64, without erased: [ClosedRange<Int64>]) {
        var rows: [Row] = []
        func add(_ kind: RowCursor.Kind, number: Int64, content: Content) {
            rows.append(Row(cursor: RowCursor(receipt: receipt, kind: kind, number: number), content: content))
        }
        frame.forEachLine { index, bytes in
            let facts = frame.lines[index]
            guard erased.isEmpty || !NumberRanges.contains(erased, facts.seq) else { return }
            add(
                .line, number: facts.seq,
                content: .line(
                    Line(
                        seq: facts.seq, time: EventTime(microseconds: facts.time), user: frame.users[facts.user],
                        schema: frame.schemas[facts.schema], isValidated: facts.isValidated, bytes: Array(bytes))))
        }
        for record in frame.rejected.sorted(by: { $0.rejection.line < $1.rejection.line }) {
            add(
                .rejected, number: Int64(record.rejection.line),
                content: .rejected(record.rejection, bytes: record.bytes))
        }
        for range in NumberRanges.union(frame.duplicates + frame.unverified) {
            add(.duplicates, number: range.lowerBound, content: .duplicates(range))
        }
        for range in frame.absent where range.reason == .held {
            add(.held, number: range.seqs.lowerBound, content: .held(range.seqs))
        }
        self.init(
            receipt: receipt, installID: frame.installID,
            batchID: frame.key.isEmpty ? nil : frame.key.hexadecimal,
            receivedAt: EventTime(microseconds: frame.receivedAt),
            sentAt: frame.sentAt.map { EventTime(microseconds: $0) }, rows: rows)
    }
}
