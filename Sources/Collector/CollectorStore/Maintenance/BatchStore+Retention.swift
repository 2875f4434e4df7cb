#if Collector
    internal import EventModel
    internal import Foundation

    /// How long lines are kept. Numbers, their ranges and the reasons for missing ones are kept for good.
    package struct StoreRetention: Sendable {
        /// Segments whose newest batch is older go; nil keeps them.
        package var maximumAge: Duration?
        /// The oldest segments go until all together have at most this many bytes; nil keeps them. The segment that is written stays.
        package var maximumBytes: Int64?

        package init(maximumAge: Duration? = nil, maximumBytes: Int64? = nil) {
            (self.maximumAge, self.maximumBytes) = (maximumAge, maximumBytes)
        }
    }

    /// What retention has removed.
    package struct RetentionReport: Equatable, Sendable {
        package var segments = 0
        package var bytes: Int64 = 0
    }

    extension BatchStore {
        /// Removes the oldest segments, as far as the retention says so. What is known of their numbers is on the disk, in the segment
        /// that is written, before a file goes. Submissions go on meanwhile.
        ///
        /// - Throws: ``StoreError``; what was removed so far stays so.
        @discardableResult
        package func enforce(_ retention: StoreRetention) async throws -> RetentionReport {
            try await maintenance.run {
                var report = RetentionReport()
                // What this writes is not removed by it, or a small limit would never be reached.
                let last = try await onWriter { $0.written?.number ?? $0.last.number }
                while let bytes = try await onWriter({ try $0.expireOldest(retention, upTo: last) }) {
                    report.segments += 1
                    report.bytes += bytes
                }
                return report
            }
        }
    }

    extension StoreCore {
        /// Removes the oldest segment, if the retention says so and its number is not above `last`.
        ///
        /// - Returns: The bytes that were removed; nil if it stays.
        func expireOldest(_ retention: StoreRetention, upTo last: Int64) throws -> Int64? {
            let cutoff = retention.maximumAge.map { options.now().advanced(by: .zero - $0).microseconds }
            let oldest = try onSoundIndex {
                try index.connection.first(
                    "SELECT number, first_frame, last_frame, newest FROM segments ORDER BY number LIMIT 1"
                ) { row in (number: row.int(0), frames: row.int(1)...row.int(2), newest: row.int(3)) }
            }
            guard let oldest, oldest.number <= last else { return nil }
            let isOld = cutoff.map { oldest.newest < $0 } ?? false
            let isTooMuch = try retention.maximumBytes.map { try bytesOfSegments() > $0 } ?? false
            let isWritten = oldest.number == written?.number
            guard isOld || isTooMuch && !isWritten else { return nil }
            if isWritten { retireSegment() }
            _ = try onSoundIndex {
                try append { segment in
                    let frame = ExpiryFrame(
                        segment: oldest.number, frames: oldest.frames,
                        installs: try index.writer.states(afterExpiryOf: oldest.frames))
                    _ = add(.expiry(frame), at: options.now().microseconds, to: segment)
                    try index.writer.apply(frame)
                }
            }
            // The pointer away from it is on the disk. Should the collector end here, the next opening removes it.
            let path = folder.segment(oldest.number)
            let length = Self.length(of: path)
            try files.remove(path)
            try files.syncFolder(folder.segments)
            return length
        }

        private func bytesOfSegments() throws -> Int64 {
            try folder.segmentNumbers().reduce(0) { $0 + Self.length(of: folder.segment($1)) }
        }

        private static func length(of path: String) -> Int64 {
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_size) : 0
        }
    }
#endif
