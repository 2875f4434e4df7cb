internal import DeliveryProtocol
internal import Foundation
internal import GRDB
internal import Primitives

extension BatchStore {
    /// Checks the permissions of files, each frame's checksum, each line against its hash in the index, the
    /// consistency of the index with itself and with the segments, and missing numbers. Changes nothing;
    /// submissions continue during the check.
    ///
    /// Complexity: O(bytes of the folder). Memory: one frame and one install's ranges.
    ///
    /// - Returns: The findings, worst first, including those from opening the folder.
    /// - Throws: ``StoreError`` if the folder is unreadable.
    package func doctor() async throws -> [StoreFinding] {
        try await maintenance.run {
            do {
                let limit = try await onWriter { $0.nextFrame }
                var findings = openingFindings + (try checkFiles())
                let integrity = try index.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(10)") }
                if integrity != ["ok"] {
                    findings.append(wrongIndex("SQLite reports: \(integrity.joined(separator: "; "))"))
                }
                findings += try checkSegments(before: limit)
                findings += try checkNumbers()
                let rank: [StoreFinding.Severity: Int] = [.loss: 0, .warning: 1, .note: 2]
                var seen: Set<StoreFinding> = []
                return findings.filter { seen.insert($0).inserted }.enumerated().sorted { left, right in
                    (rank[left.element.severity] ?? 0, left.offset) < (
                        rank[right.element.severity] ?? 0, right.offset
                    )
                }.map(\.element)
            } catch {
                throw StoreError.opening(folder.path, error)
            }
        }
    }

    private func wrongIndex(_ message: String) -> StoreFinding {
        StoreFinding(
            .warning, .wrongIndex, subject: folder.index,
            message: "\(message); stop the collector, move the file out of the data folder, and restart the collector")
    }

    private func checkFiles() throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let known = Set([folder.lock, folder.identity, folder.segments] + folder.indexFiles)
        for (path, isFolder) in try entries(folder.path) + entries(folder.segments) + [(folder.path, true)] {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & 0o077 != 0 || status.st_uid != geteuid() || status.st_mode & S_IFMT == S_IFLNK {
                findings.append(
                    StoreFinding(
                        .warning, .permissions, subject: path,
                        message:
                            "is accessible to other users; set mode 0600 (0700 for a folder) and the collector's user as owner"
                    ))
            }
            let name = (path as NSString).lastPathComponent
            if isFolder, name.hasPrefix("damaged-") {
                findings.append(
                    StoreFinding(
                        .note, .quarantine, subject: path,
                        message: "is quarantined; read its reason.txt, then keep or remove the quarantined file")
                )
            } else if !known.contains(path), path != folder.path, !isSegment(path) {
                findings.append(
                    StoreFinding(.note, .unknownFile, subject: path, message: "is not a file of the collector; move it")
                )
            }
        }
        return findings
    }

    private func isSegment(_ path: String) -> Bool {
        path.hasPrefix(folder.segments + "/")
            && (path.hasSuffix(StoreFolder.segmentSuffix) || path.hasSuffix(StoreFolder.draftSuffix))
    }

    private func entries(_ path: String) throws -> [(path: String, isFolder: Bool)] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
            var status = stat()
            let isThere = lstat("\(path)/\(name)", &status) == 0
            return ("\(path)/\(name)", isThere && status.st_mode & S_IFMT == S_IFDIR)
        }
    }

    private func checkSegments(before limit: Int64) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let segments = try Segments(folder, options.files, collector: collectorID)
        let known = try index.read { try Int64.fetchAll($0, sql: "SELECT number FROM segments ORDER BY number") }
        for number in known where !segments.found.contains(where: { $0.header.number == number }) {
            findings.append(
                StoreFinding(
                    .loss, .missingSegment, subject: folder.segment(number),
                    message: "is missing; restore it from a backup")
            )
        }
        var last: Int64?
        for (location, segment) in segments.found.enumerated() {
            let path = folder.segment(segment.header.number)
            let limit = min(limit, segments.found[(location + 1)...].map(\.header.firstFrame).min() ?? .max)
            var wrong = 0
            let scan = try segments.scan(segment) { frame in
                guard frame.number < limit else { return }
                if let last, frame.number != last + 1 {
                    findings.append(
                        StoreFinding(
                            .loss, .missingFrames, subject: path,
                            message: "frames \(last + 1) to \(frame.number - 1) are missing; restore them from a backup"
                        ))
                }
                last = frame.number
                if FrameContent.isBatch(frame.kind), try !isIndexed(frame, in: segment.header.number) {
                    wrong += 1
                }
            }
            if wrong > 0 { findings.append(wrongIndex("\(wrong) batches of \(path) differ from the index")) }
            let isLast = location == segments.found.count - 1
            // Bytes that are being written are not damage.
            for part in scan.damaged where part.isFollowed || !isLast {
                findings.append(
                    StoreFinding(
                        .loss, .damagedFrame, subject: path,
                        message:
                            "\(part.range.count) bytes at offset \(part.range.lowerBound) are damaged; restore them from a backup"
                    ))
            }
        }
        return findings
    }

    /// Whether the index has a batch at its location, with the hashes of its lines.
    private func isIndexed(_ frame: ScannedFrame, in segment: Int64) throws -> Bool {
        guard
            // Only the reason is lost: invalid content can't be in the index.
            case .batch(let batch)? = try? frame.payload.withUnsafeBytes({ try FrameContent(kind: frame.kind, $0) })
        else {
            return false
        }
        return try index.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT b.segment, b.offset, b.length, b.digest, h.bytes FROM batches b
                    LEFT JOIN hashes h ON h.receipt = b.receipt WHERE b.receipt = ?
                    """, arguments: [frame.number])
            guard let row else { return false }
            let digest: Data = row[3]
            let hashes: Data? = row[4]
            return row[0] == segment && row[1] == frame.offset && row[2] == frame.length
                && Array(digest) == batch.digest
                && Array(hashes ?? Data()) == batch.hashes()
        }
    }

    private func checkNumbers() throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let installs = try index.read {
            try Row.fetchAll($0, sql: "SELECT id, CAST(install AS BLOB), highest FROM installs ORDER BY install")
        }
        for row in installs {
            let id: Int64 = row[0]
            let name = row.text(1)
            let highest: Int64 = row[2]
            let (numbers, runs) = try index.read { db in
                (
                    try Row.fetchAll(
                        db, sql: "SELECT first, last, fate FROM numbers WHERE install = ? ORDER BY first",
                        arguments: [id]),
                    try Row.fetchAll(
                        db, sql: "SELECT first, last FROM runs WHERE install = ? ORDER BY first", arguments: [id])
                )
            }
            let all = numbers.map { row -> ClosedRange<Int64> in row[0]...row[1] }
            func ranges(_ fate: NumberFate) -> [ClosedRange<Int64>] {
                numbers.filter { $0[2] == fate.rawValue }.map { $0[0]...$0[1] }
            }
            let held = runs.map { row -> ClosedRange<Int64> in row[0]...row[1] }
            let isApart = [all, held].allSatisfy { ranges in
                zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
            }
            let reported = NumberRanges.common(NumberRanges.union(held), ranges(.erased))
            if !isApart
                || NumberRanges.difference(NumberRanges.union(held), reported)
                    != NumberRanges.union(ranges(.stored))
            {
                findings.append(wrongIndex("the numbers of \(name) contradict each other"))
            }
            if !reported.isEmpty {
                findings.append(
                    StoreFinding(
                        .warning, .erasurePending, subject: name,
                        message:
                            "its erased lines are still in a segment; the collector removes them hourly, and when it starts"
                    )
                )
            }
            let missing = highest == 0 ? [] : NumberRanges.difference([1...highest], NumberRanges.union(all))
            if !missing.isEmpty {
                let count = NumberRanges.count(missing).value
                findings.append(
                    StoreFinding(
                        .note, .missingNumbers, subject: name,
                        message: """
                            \(count) numbers from \(missing[0].lowerBound) on are neither stored nor explained; the \
                            receipts request them from the install
                            """
                    ))
            }
        }
        return findings
    }
}
