internal import EventModel
internal import Foundation
internal import Primitives

/// How long lines are kept. Numbers, their ranges and the reasons for missing numbers are kept permanently.
package struct StoreRetention: Sendable {
    /// Remove segments whose newest batch is older; nil for no limit.
    package var maximumAge: Duration?
    /// Remove the oldest segments until the total is at most this many bytes; nil for no limit. The current segment
    /// is never removed.
    package var maximumBytes: Int64?
    /// Keep the segments with batches after this receipt, whatever the limits are; nil for no such limit.
    package var keepsAfter: Int64?

    package init(maximumAge: Duration? = nil, maximumBytes: Int64? = nil) {
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
    }
}

package struct RetentionReport: Equatable, Sendable {
    package var segments = 0
    package var bytes: Int64 = 0
}

extension BatchStore {
    /// Removes the oldest segments according to the retention. Before a file is removed, the permanent facts about
    /// its numbers are synced to the current segment. Submissions continue during the call.
    ///
    /// - Throws: ``StoreError``; segments removed before the error stay removed.
    @discardableResult
    package func enforce(_ retention: StoreRetention) async throws -> RetentionReport {
        try await maintenance.run {
            var report = RetentionReport()
            // Segments created by this call are excluded; otherwise a small limit could never be reached.
            let last = try await onWriter { $0.written?.number ?? $0.last.number }
            while let bytes = try await onWriter({ try $0.expireOldest(retention, upTo: last) }) {
                report.segments += 1
                report.bytes += bytes
            }
            return report
        }
    }
}

extension BatchStore {
    /// The size of all segments in bytes. Costs a system call for each segment.
    ///
    /// - Throws: Foundation's errors.
    package func bytesOfSegments() throws -> Int64 { try StoreCore.bytesOfSegments(folder) }

    /// The size of segments and index in bytes. Costs a system call for each file.
    ///
    /// - Throws: Foundation's errors.
    package func bytes() throws -> Int64 {
        try folder.indexFiles.reduce(bytesOfSegments()) { $0 + StoreCore.length(of: $1) }
    }
}

extension StoreCore {
    /// Removes the oldest segment if the retention requires it and its number is at most `last`.
    ///
    /// - Returns: The number of bytes removed; nil if the segment stays.
    func expireOldest(_ retention: StoreRetention, upTo last: Int64) throws -> Int64? {
        let cutoff = retention.maximumAge.map { steadyTime.advanced(by: .zero - $0).microseconds }
        let oldest = try onSoundIndex {
            try index.connection.first(
                "SELECT number, first_frame, last_frame, newest FROM segments ORDER BY number LIMIT 1"
            ) { row in (number: row.int(0), frames: row.int(1)...row.int(2), newest: row.int(3)) }
        }
        guard let oldest, oldest.number <= last else { return nil }
        let isOld = cutoff.map { oldest.newest < $0 } ?? false
        let isTooMuch = try retention.maximumBytes.map { try Self.bytesOfSegments(folder) > $0 } ?? false
        let isWritten = oldest.number == written?.number
        guard isOld || isTooMuch && !isWritten else { return nil }
        if let kept = retention.keepsAfter, try hasBatch(after: kept, through: oldest.frames.upperBound) { return nil }
        if isWritten { retireSegment() }
        _ = try onSoundIndex {
            try append { segment in
                var frame = ExpiryFrame(
                    segment: oldest.number, frames: oldest.frames,
                    installs: try index.writer.states(afterExpiryOf: oldest.frames))
                frame.messages = try index.writer.messages(
                    ofFrames: oldest.frames,
                    since: steadyTime.advanced(by: .zero - ClientMessages.memory).microseconds)
                frame.erasures = try frame.installs.flatMap { state in
                    try index.writer.install(state.installID).map {
                        try index.writer.erasures(of: $0.id, named: state.installID)
                    } ?? []
                }
                let (number, _) = add(.expiry(frame), at: options.now().microseconds, to: segment)
                try index.writer.apply(frame, number: number)
            }
        }
        // The expiry frame is on the disk. If the collector ends here, the next opening removes the file.
        let path = folder.segment(oldest.number)
        let length = Self.length(of: path)
        try files.remove(path)
        try files.syncFolder(folder.segments)
        return length
    }

    /// Whether frames include a batch. The others are not forwarded: if retention kept what it writes itself, that could use
    /// up the quota for good.
    private func hasBatch(after receipt: Int64, through last: Int64) throws -> Bool {
        guard last > receipt else { return false }
        let found = try onSoundIndex {
            try index.connection.first(
                "SELECT 1 FROM batches WHERE receipt > ? AND receipt <= ? LIMIT 1", .int(receipt), .int(last)
            ) { _ in true }
        }
        return found == true
    }

    fileprivate static func bytesOfSegments(_ folder: StoreFolder) throws -> Int64 {
        try folder.segmentNumbers().reduce(0) { $0 + length(of: folder.segment($1)) }
    }

    fileprivate static func length(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
