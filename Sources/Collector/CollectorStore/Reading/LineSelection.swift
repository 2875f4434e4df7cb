#if Collector
    package import EventModel

    /// Which lines to read. All conditions must hold; none selects all lines.
    package struct LineSelection: Sendable {
        package var installID: String?
        /// The exact `user_id`.
        package var user: String?
        /// An event's name, such as `search`, or a schema, such as `search/1-0-0`.
        package var schema: String?
        /// The event's own time, both ends included.
        package var times: ClosedRange<EventTime>?

        package init(
            installID: String? = nil, user: String? = nil, schema: String? = nil, times: ClosedRange<EventTime>? = nil
        ) {
            (self.installID, self.user, self.schema, self.times) = (installID, user, schema, times)
        }
    }

    /// A position in the order in which lines were stored. It stays good across restarts, retention and erasure.
    package struct LineCursor: Hashable, Comparable, Sendable {
        /// The batch.
        package var receipt: Int64
        /// The number within it.
        package var seq: Int64

        /// Before the first line.
        package static let start = LineCursor(receipt: 0, seq: 0)

        package init(receipt: Int64, seq: Int64) { (self.receipt, self.seq) = (receipt, seq) }

        package static func < (left: Self, right: Self) -> Bool {
            (left.receipt, left.seq) < (right.receipt, right.seq)
        }
    }

    /// A stored line.
    package struct StoredLine: Equatable, Sendable {
        package var cursor: LineCursor
        package var installID: String
        /// The event's own time.
        package var time: EventTime
        package var receivedAt: EventTime
        package var sentAt: EventTime?
        /// Whether a schema has judged it.
        package var isValidated: Bool
        /// The exact bytes, without the line feed.
        package var bytes: [UInt8]
    }

    /// Lines in the order in which they were stored.
    package struct LinePage: Equatable, Sendable {
        package var lines: [StoredLine]
        /// Where to go on. Equal to the cursor that was asked for if there is nothing new.
        package var next: LineCursor
        /// Whether there may be more now.
        package var hasMore: Bool
    }
#endif
