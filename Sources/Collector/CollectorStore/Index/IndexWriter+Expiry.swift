internal import DeliveryProtocol
internal import EventModel

extension IndexWriter {
    /// The number of newest expired runs that are kept separately for each install. Older adjacent runs are merged
    /// under the latest of their receipts, so what is kept of an install does not grow with its batches. If a
    /// client whose last receipt is older resends such a number, the batch is judged a fork.
    static let exactRuns = 64

    /// The permanent state of each install that the segment has frames of, or whose state is kept in the segment.
    func states(afterExpiryOf frames: ClosedRange<Int64>) throws -> [InstallState] {
        var ids: Set<Int64> = []
        try connection.forEach(
            "SELECT DISTINCT install FROM batches WHERE receipt BETWEEN ? AND ?", .int(frames.lowerBound),
            .int(frames.upperBound)
        ) { ids.insert($0.int(0)) }
        try connection.forEach(
            "SELECT DISTINCT install FROM forks WHERE frame BETWEEN ? AND ?", .int(frames.lowerBound),
            .int(frames.upperBound)
        ) { ids.insert($0.int(0)) }
        try connection.forEach(
            "SELECT install FROM kept_states WHERE frame BETWEEN ? AND ?", .int(frames.lowerBound),
            .int(frames.upperBound)
        ) { ids.insert($0.int(0)) }
        try connection.forEach(
            "SELECT DISTINCT install FROM erasures WHERE frame BETWEEN ? AND ?", .int(frames.lowerBound),
            .int(frames.upperBound)
        ) { ids.insert($0.int(0)) }
        return try ids.sorted().map { try state(of: $0, afterExpiryOf: frames) }
    }

    /// - Parameter install: The row's id.
    private func state(of install: Int64, afterExpiryOf frames: ClosedRange<Int64>) throws -> InstallState {
        let found = try connection.first("SELECT install FROM installs WHERE id = ?", .int(install)) { $0.text(0) }
        guard let name = found, let row = try self.install(name) else {
            throw StoreError(.damaged, "the index has no install \(install)")
        }
        var state = InstallState(
            installID: name, secretHash: row.secretHash, firstSeen: row.firstSeen, lastSeen: row.lastSeen,
            highest: row.highest, numbers: try numbers(install, in: 1...EventRecord.highestSeq),
            runs: try runs(of: install, afterExpiryOf: frames), ledger: [], forks: [])
        try connection.forEach(
            "SELECT reason, first, last, count, first_time, last_time FROM ledger WHERE install = ? ORDER BY reason, first",
            .int(install)
        ) { row in
            var times: ClosedRange<EventTime>?
            if let first = row.optionalInt(4), let last = row.optionalInt(5), first <= last {
                times = EventTime(microseconds: first)...EventTime(microseconds: last)
            }
            state.ledger.append(
                .init(
                    reason: row.text(0), seqs: row.int(1) > 0 ? row.int(1)...row.int(2) : nil, count: row.int(3),
                    times: times))
        }
        try connection.forEach(
            "SELECT frame, seen_at, key, acknowledged, forked FROM forks WHERE install = ? ORDER BY frame",
            .int(install)
        ) { row in
            state.forks.append(
                (
                    row.int(0),
                    ForkFrame(
                        receivedAt: row.int(1), installID: name, key: row.blob(2),
                        acknowledged: try Self.ranges(row.blob(3)), forked: try Self.ranges(row.blob(4)))
                ))
        }
        return state
    }

    /// The expired runs of an install, and those that expire with these frames.
    private func runs(of install: Int64, afterExpiryOf frames: ClosedRange<Int64>) throws -> [InstallState
        .StoredRun]
    {
        var runs: [InstallState.StoredRun] = []
        try connection.forEach(
            """
            SELECT r.first, r.last, r.receipt, r.hash FROM runs r LEFT JOIN batches b ON b.receipt = r.receipt
            WHERE r.install = ? AND (b.receipt IS NULL OR r.receipt BETWEEN ? AND ?) ORDER BY r.first
            """, .int(install), .int(frames.lowerBound), .int(frames.upperBound)
        ) { row in
            runs.append(
                .init(seqs: row.int(0)...row.int(1), receipt: row.int(2), hash: UInt64(bitPattern: row.int(3))))
        }
        return Self.merged(runs)
    }

    static func merged(_ runs: [InstallState.StoredRun]) -> [InstallState.StoredRun] {
        let old = runs.count - exactRuns
        guard old > 1 else { return runs }
        var merged: [InstallState.StoredRun] = []
        for (index, run) in runs.enumerated() {
            if index < old, let last = merged.last, last.seqs.upperBound + 1 == run.seqs.lowerBound {
                merged[merged.count - 1] = .init(
                    seqs: last.seqs.lowerBound...run.seqs.upperBound, receipt: max(last.receipt, run.receipt),
                    hash: last.hash &+ run.hash)
            } else {
                merged.append(run)
            }
        }
        return merged
    }

    /// Removes an expired segment's batches, and stores the permanent state of its installs. Existing state does
    /// not change, so the result is the same whether or not the segment was read before.
    ///
    /// - Parameter number: The number of the expiry frame.
    func apply(_ frame: ExpiryFrame, number: Int64) throws {
        var receipts: [Int64] = []
        try connection.forEach(
            "SELECT receipt FROM batches WHERE receipt BETWEEN ? AND ?", .int(frame.frames.lowerBound),
            .int(frame.frames.upperBound)
        ) { receipts.append($0.int(0)) }
        for receipt in receipts { try removeContent(of: receipt) }
        for state in frame.installs { try apply(state, of: number) }
        for remembered in frame.messages {
            let install = try installOrNew(remembered.installID, at: remembered.receivedAt)
            try remember(
                remembered.message, install: install.id, frame: number, at: remembered.receivedAt)
        }
        for erasure in frame.erasures {
            try insert(erasure, install: try installOrNew(erasure.installID, at: 0).id)
        }
        try connection.run(
            "UPDATE erasures SET segment = NULL, offset = NULL, length = NULL WHERE segment = ?",
            .int(frame.segment))
        try connection.run("DELETE FROM segments WHERE number = ?", .int(frame.segment))
        try connection.run("INSERT OR IGNORE INTO expired_segments (number) VALUES (?)", .int(frame.segment))
    }

    /// - Parameter number: The number of the expiry frame.
    private func apply(_ state: InstallState, of number: Int64) throws {
        var install = try installOrNew(state.installID, at: state.firstSeen)
        try connection.run(
            "INSERT OR REPLACE INTO kept_states (install, frame) VALUES (?, ?)", .int(install.id), .int(number))
        if install.secretHash.isEmpty { install.secretHash = state.secretHash }
        install.firstSeen = min(install.firstSeen, state.firstSeen)
        install.lastSeen = max(install.lastSeen, state.lastSeen)
        install.highest = max(install.highest, state.highest)
        try connection.run(
            "DELETE FROM runs WHERE install = ? AND receipt NOT IN (SELECT receipt FROM batches)", .int(install.id))
        for run in state.runs {
            try connection.run(
                "INSERT INTO runs (install, first, last, receipt, ordinal, hash) VALUES (?, ?, ?, ?, 0, ?)",
                .int(install.id), .int(run.seqs.lowerBound), .int(run.seqs.upperBound), .int(run.receipt),
                .int(Int64(bitPattern: run.hash)))
        }
        try raise(install.id, state.numbers + apply(state.ledger, to: &install))
        for fork in state.forks { try insert(fork.fork, number: fork.frame, install: install.id) }
        _ = try advance(&install)
        try save(install)
    }

    static func ranges(_ bytes: [UInt8]) throws -> [ClosedRange<Int64>] {
        try bytes.withUnsafeBytes { bytes throws(ByteReader.Malformed) in
            var reader = ByteReader(bytes)
            return try reader.ranges()
        }
    }
}
