internal import DeliveryProtocol
internal import Foundation
internal import GRDB
internal import Primitives

/// The result of an erasure.
package struct ErasureReport: Equatable, Sendable {
    /// Accepted lines.
    package var lines = 0
    /// Rejected lines whose bytes and errors were removed.
    package var rejects = 0
    /// Segments that were rewritten.
    package var segments = 0
    /// Quarantined files that were removed.
    package var quarantinedFiles = 0
}

extension BatchStore {
    /// Removes all lines of a user that were acknowledged before the call, including rejected and damaged lines.
    /// Afterwards no file in the folder contains the user's id, unless a line of another user contains it. The
    /// numbers stay known as erased and are not stored again. Lines that clients have reported as erased are
    /// removed, too.
    ///
    /// Submissions continue during the erasure. If it fails or the collector ends, call it again to continue.
    /// Complexity: O(bytes of the segments with lines of the user or rejected lines).
    ///
    /// - Parameter user: The exact `user_id`; not empty.
    /// - Throws: ``StoreError``.
    package func erase(user: String) async throws -> ErasureReport {
        guard !user.isEmpty else {
            throw StoreError(.invalidSubmission, "user_id is empty; pass the user to erase")
        }
        return try await rewrite(user: user)
    }

    /// Removes lines whose numbers clients have reported as erased, or that installs have erased with
    /// ``erase(_:receivedAt:)``, and the ids of the erased users in these requests. Until then the lines are in the
    /// segments, but can't be read.
    ///
    /// - Throws: ``StoreError``.
    package func eraseReported() async throws -> ErasureReport { try await rewrite(user: nil) }

    private func rewrite(user: String?) async throws -> ErasureReport {
        try await maintenance.run {
            // Everything acknowledged so far is in closed segments.
            let (last, limit) = try await onWriter { core in
                core.retireSegment()
                return (core.last, core.nextFrame)
            }
            var segments = try Segments(folder, options.files, collector: collectorID)
            segments.trust(last.trusted, of: last.number)
            // The segment of a request is the last to be rewritten for it, so an interrupted erasure continues.
            let pending = try pendingErasures().filter { $0.segment <= last.number }
            var report = ErasureReport()
            for (location, segment) in segments.found.enumerated() where segment.header.number <= last.number {
                let limit = min(limit, segments.found[(location + 1)...].map(\.header.firstFrame).min() ?? .max)
                guard try isConcerned(segment, user, pending) else { continue }
                let rewrite = SegmentRewrite(
                    segments: segments, segment: segment, user: user, pending: pending,
                    erased: { try self.erased($0, $1) },
                    limit: limit)
                try await exchange(rewrite, &report)
            }
            if let user { report.quarantinedFiles = try removeQuarantined(user) }
            return report
        }
    }

    /// Replaces a segment with its rewritten copy.
    func exchange(_ rewrite: SegmentRewrite, _ report: inout ErasureReport) async throws {
        let path = folder.segment(rewrite.segment.header.number)
        let draft = path + StoreFolder.draftSuffix
        try options.files.remove(draft)
        let result: SegmentRewrite.Result
        do { result = try rewrite.write(to: draft) } catch {
            try? options.files.remove(draft)  // if this fails, the next opening removes it
            throw StoreError.writing(draft, error)
        }
        let header = result.header
        try await onWriter { core in
            try core.shared.swap.exchanging {
                // If the collector ends after the rename, the next opening finds the new file and reads it.
                try core.files.publish(draft, as: path)
                var status = stat()
                guard stat(path, &status) == 0 else { throw SystemError("stat", path: path) }
                let found = Segments.Found(
                    header: header, length: Int64(status.st_size), trusted: Int64(status.st_size))
                try core.onSoundIndex {
                    try core.index.connection.transaction {
                        try IndexRebuild(core.index, Segments(core.folder, core.files)).reindex(found)
                    }
                }
            }
        }
        report.segments += 1
        report.lines += result.lines
        report.rejects += result.rejects
    }

    // MARK: Affected segments and files

    private func isConcerned(
        _ segment: Segments.Found, _ user: String?, _ pending: [PendingErasure]
    ) throws -> Bool {
        let number = segment.header.number
        if pending.contains(where: { $0.segment == number }) { return true }
        for erasure in pending where try hasRejects(of: erasure, in: number) { return true }
        let isKnown = try index.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM batch_users u JOIN batches b ON b.receipt = u.receipt
                        WHERE u.user = ? AND b.segment = ?)
                    OR EXISTS (SELECT 1 FROM batches b JOIN runs r ON r.receipt = b.receipt
                        JOIN numbers n ON n.install = r.install AND n.fate = ? AND n.first <= r.last AND n.last >= r.first
                        WHERE b.segment = ?)
                    """,
                arguments: [user.map(LineDigest.userKey), number, NumberFate.erased.rawValue, number]) ?? false
        }
        if isKnown { return true }
        guard let user else { return false }
        // The index has no users for rejected lines and damaged parts.
        let mayHideMore = try index.read { db in
            try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM rejects r JOIN batches b ON b.receipt = r.receipt WHERE b.segment = ?)",
                arguments: [number]) ?? false
        }
        return try (mayHideMore || hasDamage(segment)) && holds(user, folder.segment(number))
    }

    /// Whether a segment has rejected lines that an erasure may concern.
    private func hasRejects(of erasure: PendingErasure, in segment: Int64) throws -> Bool {
        try index.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM rejects r JOIN batches b ON b.receipt = r.receipt
                        WHERE b.segment = ? AND r.receipt < ? AND r.install = (SELECT id FROM installs WHERE install = CAST(? AS TEXT)))
                    """, arguments: [segment, erasure.frame, ExactText(erasure.installID)]) ?? false
        }
    }

    /// Whether a segment has bytes outside valid frames.
    private func hasDamage(_ segment: Segments.Found) throws -> Bool {
        if segment.isSalvaged || segment.trusted < segment.length { return true }
        let frames = try index.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT sum(length) FROM batches WHERE segment = ?", arguments: [segment.header.number])
                ?? 0
        }
        return frames + Int64(SegmentHeader.length) != segment.length
    }

    private func erased(_ installID: String, _ seqs: ClosedRange<Int64>) throws -> [ClosedRange<Int64>] {
        try index.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT n.first, n.last FROM numbers n JOIN installs i ON i.id = n.install
                    WHERE i.install = CAST(? AS TEXT) AND n.fate = ? AND n.first <= ? AND n.last >= ? ORDER BY n.first
                    """,
                arguments: [ExactText(installID), NumberFate.erased.rawValue, seqs.upperBound, seqs.lowerBound]
            ).map { $0[0]...$0[1] }
        }
    }

    /// Removes quarantined files that contain the user's id.
    private func removeQuarantined(_ user: String) throws -> Int {
        var removed = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix("damaged-") {
            let path = folder.path + "/" + name
            for file in try FileManager.default.contentsOfDirectory(atPath: path).map({ path + "/" + $0 })
            where try holds(user, file) {
                try options.files.remove(file)
                removed += 1
            }
            try options.files.syncFolder(path)
        }
        return removed
    }

    /// Whether a file contains a user's id as plain bytes. Memory: 1 MiB.
    private func holds(_ user: String, _ path: String) throws -> Bool {
        let wanted = Data(user.utf8)
        let descriptor = try options.files.openForReading(path)
        defer { options.files.close(descriptor) }
        var offset: Int64 = 0
        var rest = Data()
        while true {
            let block = try options.files.read(descriptor, at: offset, count: 1 << 20, path: path)
            if block.isEmpty { return false }
            rest.append(contentsOf: block)
            if rest.range(of: wanted) != nil { return true }
            rest = Data(rest.suffix(wanted.count - 1))
            offset += Int64(block.count)
        }
    }
}

extension Segments {
    /// Sets the valid length of the last segment, which no later header states.
    mutating func trust(_ length: Int64, of number: Int64) {
        guard let index = found.lastIndex(where: { $0.header.number == number }),
            found[index].header.generation == 0
        else {
            return
        }
        found[index].trusted = min(found[index].length, length)
    }
}
