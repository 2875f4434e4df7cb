package import EventModel

/// Selects lines to read. All conditions must hold; without conditions, all lines are selected.
package struct LineSelection: Sendable {
    package var installID: String?
    /// The exact `user_id`.
    package var user: String?
    /// An event name, such as `search`, or a schema, such as `search/1-0-0`.
    package var schema: String?
    /// The range of event times, both ends inclusive.
    package var times: ClosedRange<EventTime>?

    package init(
        installID: String? = nil, user: String? = nil, schema: String? = nil, times: ClosedRange<EventTime>? = nil
    ) {
        self.installID = installID
        self.user = user
        self.schema = schema
        self.times = times
    }
}

/// A position in the order in which lines were stored. It stays valid across restarts, retention and erasure.
package struct LineCursor: Hashable, Comparable, Sendable {
    package var receipt: Int64
    /// The number within the batch.
    package var seq: Int64

    /// Before the first line.
    package static let start = LineCursor(receipt: 0, seq: 0)

    package init(receipt: Int64, seq: Int64) {
        self.receipt = receipt
        self.seq = seq
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.receipt, left.seq) < (right.receipt, right.seq)
    }
}

package struct StoredLine: Equatable, Sendable {
    package var cursor: LineCursor
    package var installID: String
    package var time: EventTime
    package var receivedAt: EventTime
    package var sentAt: EventTime?
    /// Whether the line was validated with a schema.
    package var isValidated: Bool
    /// The exact bytes, without the line feed.
    package var bytes: [UInt8]
}

/// A page of lines, in the order in which they were stored.
package struct LinePage: Equatable, Sendable {
    package var lines: [StoredLine]
    /// The cursor for the next page. Equal to the requested cursor if there are no new lines.
    package var next: LineCursor
    /// Whether there may already be more lines.
    package var hasMore: Bool
}
