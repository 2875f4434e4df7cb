package import DeliveryProtocol
package import EventModel

/// Everything that the collector stored about one batch or import, in the order in which it is shown.
package struct StoredBatch: Equatable, Sendable {
    package var receipt: Int64
    package var installID: String
    /// The batch's id, 32 hexadecimal digits; nil for an import.
    package var batchID: String?
    package var receivedAt: EventTime
    package var sentAt: EventTime?
    package var rows: [Row]

    package struct Row: Equatable, Sendable {
        package var cursor: RowCursor
        package var content: Content
    }

    package enum Content: Equatable, Sendable {
        case line(Line)
        /// A permanently rejected line with its exact bytes; nil after an erasure.
        case rejected(Receipt.Rejection, bytes: [UInt8]?)
        /// Numbers that were already stored with the same bytes, or whose bytes have expired.
        case duplicates(ClosedRange<Int64>)
        /// Numbers whose events wait for their user's consent. They may be in a later batch.
        case held(ClosedRange<Int64>)
    }

    package struct Line: Equatable, Sendable {
        package var seq: Int64
        package var time: EventTime
        package var user: String
        package var schema: String
        /// Whether the line was validated with a schema.
        package var isValidated: Bool
        /// The exact bytes, without the line feed.
        package var bytes: [UInt8]
    }
}

/// A position in the order of all rows: first by receipt, then accepted lines, rejected lines, duplicates and held
/// numbers. It stays valid across restarts, retention and erasure.
package struct RowCursor: Hashable, Comparable, Sendable, CustomStringConvertible {
    package enum Kind: Int, Sendable {
        case line, rejected, duplicates, held
    }

    package var receipt: Int64
    package var kind: Kind
    /// The number of a line or the first number of a range; for a rejected line, its line number in the request.
    package var number: Int64

    /// Before the first row.
    package static let start = RowCursor(endOf: 0)

    package init(receipt: Int64, kind: Kind, number: Int64) {
        self.receipt = receipt
        self.kind = kind
        self.number = number
    }

    /// After the last row of a batch.
    package init(endOf receipt: Int64) { self.init(receipt: receipt, kind: .held, number: .max) }

    /// Reads the text of ``description``; nil if it is not a cursor.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let receipt = parts.first.flatMap({ Int64($0) }), receipt >= 0 else { return nil }
        if parts.count == 1 {
            self.init(endOf: receipt)
            return
        }
        guard parts.count == 3, let kind = Int(parts[1]).flatMap({ Kind(rawValue: $0) }),
            let number = Int64(parts[2]), number >= 0
        else { return nil }
        self.init(receipt: receipt, kind: kind, number: number)
    }

    /// `17.0.4`: receipt, kind and number; `17` after the last row of a batch.
    package var description: String {
        self == RowCursor(endOf: receipt) ? "\(receipt)" : "\(receipt).\(kind.rawValue).\(number)"
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.receipt, left.kind.rawValue, left.number) < (right.receipt, right.kind.rawValue, right.number)
    }
}
