internal import DeliveryProtocol
internal import Primitives

/// An accepted batch or import: its content, and the verdict of each line.
struct BatchFrame: Equatable {
    /// When the request arrived, in microseconds since 1970.
    var receivedAt: Int64
    /// The client's send time; nil if it sent none.
    var sentAt: Int64?
    var installID: String
    /// The SHA-256 of the install's secret; empty for an import.
    var secretHash: [UInt8] = []
    /// The batch's id, 16 bytes; empty for an import.
    var key: [UInt8] = []
    /// SHA-256 of the parts that a retry must repeat; see ``PreparedSubmission``.
    var digest: [UInt8]
    /// The receipt that the client had when it sent the batch.
    var named: ReceiptName?
    /// The numbers that the batch covers; nil for an import.
    var seqs: ClosedRange<Int64>?
    /// Numbers that the batch has no line for, and those of ``erased`` whose events were only opted out.
    var absent: [BatchHeader.MissingRange] = []
    var ledger: [BatchHeader.LedgerRow] = []
    /// Numbers that were already stored with the same bytes.
    var duplicates: [ClosedRange<Int64>] = []
    /// Numbers that were already stored, whose bytes have expired.
    var unverified: [ClosedRange<Int64>] = []
    /// Numbers that were sent and not stored, because their events had been erased or opted out.
    var erased: [ClosedRange<Int64>] = []
    /// Missing numbers that the receipt requested.
    var missing: [ClosedRange<Int64>] = []
    /// The install's highest number at that time.
    var highest: Int64 = 0
    var rejected: [RejectedRecord] = []
    /// Numbers whose lines were in this frame until an erasure removed them.
    var removed: [ClosedRange<Int64>] = []
    /// The texts that ``LineFacts/user`` and ``LineFacts/schema`` index.
    var users: [String] = []
    var schemas: [String] = []
    /// The accepted lines, by number.
    var lines: [LineFacts] = []
    /// The bytes of the lines, each followed by a line feed.
    var text: [UInt8] = []
    /// The messages of other systems' clients that have an id, by number; see ``ClientMessages``.
    var messages: [MessageKey] = []

    /// A message that was numbered here.
    struct MessageKey: Equatable {
        var seq: Int64
        /// ``ClientMessages/Message/key``.
        var key: [UInt8]
    }

    /// The facts about a line that the index and selections need.
    struct LineFacts: Equatable {
        var seq: Int64
        /// In bytes, without the line feed.
        var length: Int
        /// The event's time, in microseconds since 1970.
        var time: Int64
        var user: Int
        var schema: Int
        /// Whether the line was validated with a schema.
        var isValidated: Bool
    }

    /// A permanently rejected line.
    struct RejectedRecord: Equatable {
        var rejection: Receipt.Rejection
        /// Its first ``Submission/keptBytes``; nil after an erasure.
        var bytes: [UInt8]?
    }
}

extension BatchFrame {
    var accepted: [ClosedRange<Int64>] { NumberRanges.ranges(of: lines.map(\.seq)) }

    /// The numbers whose events were sent, and were erased before or after that.
    var gone: [ClosedRange<Int64>] {
        let optedOut = absent.filter { $0.reason == .optedOut }.map(\.seqs)
        return NumberRanges.union(NumberRanges.difference(erased, NumberRanges.union(optedOut)) + removed)
    }

    /// The receipt of this batch, the same at each call.
    func receipt(collector: String, number: Int64) -> Receipt {
        Receipt(
            name: ReceiptName(collector: collector, number: number), installID: installID,
            batchID: key.isEmpty ? nil : key.hexadecimal,
            stored: NumberRanges.union(accepted + duplicates + unverified),
            duplicates: duplicates, unverified: unverified, erased: NumberRanges.union(erased + removed),
            rejected: rejected.map(\.rejection), missing: missing, highest: highest)
    }

    /// Calls `body` with the bytes of each line, in order.
    func forEachLine(_ body: (_ index: Int, _ line: UnsafeRawBufferPointer) throws -> Void) rethrows {
        try text.withUnsafeBytes { text in
            var start = 0
            for (index, line) in lines.enumerated() {
                try body(index, UnsafeRawBufferPointer(rebasing: text[start..<start + line.length]))
                start += line.length + 1
            }
        }
    }

    /// The digests of the lines, truncated as in the index.
    func hashes() -> [UInt8] {
        let kept = LineDigest.keptBytes
        return [UInt8](unsafeUninitializedCapacity: max(32, kept * lines.count + 32)) { memory, count in
            guard let start = memory.baseAddress else { return }
            // Each digest is written in full; the next one overwrites its second half.
            forEachLine { index, line in SHA256.write(line, to: start + kept * index) }
            count = kept * lines.count
        }
    }
}
