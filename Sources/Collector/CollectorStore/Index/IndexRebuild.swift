internal import Foundation
internal import GRDB

/// Adds frames to the index that only the segments have. For the writer thread.
struct IndexRebuild {
    private let index: StoreIndex
    private let segments: Segments
    private let limit: Int64
    /// The number of frames per transaction.
    private static let framesAtOnce = 256

    /// - Parameter limit: Frames with this number or a later one were never acknowledged and are ignored.
    init(_ index: StoreIndex, _ segments: Segments, before limit: Int64 = .max) {
        self.index = index
        self.segments = segments
        self.limit = limit
    }

    /// The findings and the position reached.
    struct Result {
        var findings: [StoreFinding] = []
        /// The last indexed frame.
        var position: StoreIndex.Position
        /// The end of the intact frames in the last segment.
        var intactEnd: Int64 = 0
    }

    /// Reads the frames after the index's position; all frames if the index is new. Call inside
    /// ``StoreIndex/write(_:)``.
    ///
    /// - Throws: `SystemError`, `DatabaseError`; frames read before the error stay in the index.
    func catchUp() throws -> Result {
        try reindexRewritten()
        var result = Result(position: try index.position())
        var open = false
        var count = 0
        defer { if open { index.connection.rollback() } }
        for (location, segment) in segments.found.enumerated() {
            let header = segment.header
            guard header.number >= result.position.segment else { continue }
            let isCurrent = header.number == result.position.segment
            // A later segment reuses the numbers of frames that were never acknowledged.
            let limit = min(self.limit, segments.found[(location + 1)...].map(\.header.firstFrame).min() ?? .max)
            let start = isCurrent ? result.position.offset : Int64(SegmentHeader.length)
            let scan = try segments.scan(segment, from: min(start, segment.trusted)) { frame in
                guard frame.number < limit, frame.number > result.position.frame else { return }
                if frame.number != result.position.frame + 1, result.position.frame > 0 {
                    result.findings.append(
                        .missingFrames(
                            after: result.position.frame, before: frame.number, segments.folder, header.number))
                }
                if !open { try index.connection.begin() }
                open = true
                count += 1
                do { try apply(frame, in: header) } catch is ByteReader.Malformed {
                    result.findings.append(
                        StoreFinding(
                            .loss, .damagedFrame, subject: segments.folder.segment(header.number),
                            message: "frame \(frame.number) is invalid; restore it from a backup"))
                }
                result.position = .init(
                    segment: header.number, offset: frame.offset + Int64(frame.length), frame: frame.number)
                if count.isMultiple(of: Self.framesAtOnce) {
                    try commit(result.position)
                    open = false
                }
            }
            result.intactEnd = scan.intactEnd
            result.findings += findings(of: segment, scan.damaged, isLast: location == segments.found.count - 1)
        }
        if open {
            try commit(result.position)
            open = false
        }
        return result
    }

    private func commit(_ position: StoreIndex.Position) throws {
        try index.setPosition(position)
        try index.connection.commit()
    }

    private func apply(_ frame: ScannedFrame, in header: SegmentHeader) throws {
        let content = try frame.payload.withUnsafeBytes { bytes throws(ByteReader.Malformed) in
            try FrameContent(kind: frame.kind, bytes)
        }
        guard let content else {
            throw StoreError(
                .newerVersion,
                "segment \(header.number) has frames of kind \(frame.kind), which a newer version wrote; update the collector"
            )
        }
        var time = header.createdAt
        switch content {
        case .batch(let batch):
            time = batch.receivedAt
            let (install, _) = try index.writer.applyFacts(of: batch)
            try index.writer.applyContent(
                of: batch, install: install.id, number: frame.number,
                at: .init(segment: header.number, offset: frame.offset, length: frame.length),
                hashes: batch.hashes())
        case .ledger(let ledger):
            time = ledger.receivedAt
            try index.writer.apply(ledger)
        case .fork(let fork):
            time = fork.receivedAt
            try index.writer.apply(fork, number: frame.number)
        case .expiry(let expiry): try index.writer.apply(expiry, number: frame.number)
        case .erasure(let erasure):
            time = erasure.receivedAt
            try index.writer.apply(
                erasure, number: frame.number,
                at: .init(segment: header.number, offset: frame.offset, length: frame.length))
        }
        try index.note(header, frames: frame.number...frame.number, newest: time)
    }

    /// Reads segments again if an erasure rewrote them without updating the index.
    private func reindexRewritten() throws {
        for segment in segments.found {
            let known = try index.connection.first(
                "SELECT generation FROM segments WHERE number = ?", .int(segment.header.number)
            ) { $0.int(0) }
            guard let known, known != Int64(segment.header.generation) else { continue }
            try index.connection.transaction { try reindex(segment) }
        }
    }

    /// Replaces a segment's batches in the index, and the locations of its erasures. Call in a transaction.
    func reindex(_ segment: Segments.Found) throws {
        var position = try index.position()
        let limit = position.frame
        let scan = try segments.scan(segment) { frame in
            guard frame.number <= limit, FrameContent.isBatch(frame.kind) || frame.kind == FrameContent.erasureKind,
                let content = try frame.payload.withUnsafeBytes({ try FrameContent(kind: frame.kind, $0) })
            else { return }
            let location = FrameLocation(
                segment: segment.header.number, offset: frame.offset, length: frame.length)
            if case .erasure(let erasure) = content {
                try index.writer.move(erasure: frame.number, to: erasure.user == nil ? nil : location)
            }
            guard case .batch(let batch) = content else { return }
            try index.writer.removeContent(of: frame.number)
            try index.connection.run(
                "DELETE FROM runs WHERE receipt = ? AND install = (SELECT id FROM installs WHERE install = ?)",
                .int(frame.number), .text(batch.installID))
            let (install, _) = try index.writer.applyFacts(of: batch)
            try index.writer.applyContent(
                of: batch, install: install.id, number: frame.number, at: location, hashes: batch.hashes())
        }
        if position.segment == segment.header.number {
            position.offset = scan.intactEnd
            try index.setPosition(position)
        }
        try index.connection.run(
            "UPDATE segments SET generation = ? WHERE number = ?", .int(Int64(segment.header.generation)),
            .int(segment.header.number))
    }

    private func findings(of segment: Segments.Found, _ damaged: [DamagedPart], isLast: Bool) -> [StoreFinding] {
        let path = segments.folder.segment(segment.header.number)
        return damaged.map { part in
            part.isFollowed || !isLast
                ? StoreFinding(
                    .loss, .damagedFrame, subject: path,
                    message:
                        "\(part.range.count) bytes at offset \(part.range.lowerBound) are damaged; restore them from a backup"
                )
                : StoreFinding(
                    .note, .tornTail, subject: path,
                    message: """
                        \(part.range.count) bytes at offset \(part.range.lowerBound) were never acknowledged; no \
                        action needed
                        """
                )
        }
    }

    /// Quarantines an index, and builds another from the segments.
    ///
    /// - Parameters:
    ///   - old: The damaged index, if it could be opened.
    ///   - limit: Frames with this number or a later one are ignored.
    static func exchange(
        _ old: StoreIndex?, in folder: StoreFolder, files: any StoreFiles, collector: CollectorID,
        reason: String, before limit: Int64 = .max
    ) throws -> StoreIndex {
        try folder.quarantine(folder.indexFiles, reason: "the index was damaged: \(reason)", files)
        // Closed only after its files are renamed: closing the last connection would write to them.
        try? old?.close()  // the old index has nothing to save
        let new = try StoreIndex(folder)
        try new.write {
            try new.setCollector(collector)
            _ = try IndexRebuild(new, try Segments(folder, files, collector: collector), before: limit).catchUp()
        }
        return new
    }
}

extension StoreFinding {
    fileprivate static func missingFrames(
        after last: Int64, before next: Int64, _ folder: StoreFolder, _ segment: Int64
    )
        -> StoreFinding
    {
        StoreFinding(
            .loss, .missingFrames, subject: folder.segment(segment),
            message: "frames \(last + 1) to \(next - 1) are missing; restore them from a backup")
    }
}
