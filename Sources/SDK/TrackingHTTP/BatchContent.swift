internal import DeliveryProtocol
internal import EventModel
internal import JSONLines

/// The body of a batch's request: its header, and the exact lines of its events.
struct BatchContent {
    /// The maximum number of bytes before compression: the collector rejects more.
    static let maximumBytes = 900_000

    /// Lines, each with its line feed.
    let lines: [UInt8]

    /// Writes the body of a batch. The same batch gives the same bytes, except that the ledger's rows may change
    /// between attempts.
    init(_ batch: EventBatch) {
        var json = JSONWriter()
        BatchHeader(batch).write(to: &json)
        let count = batch.records.reduce(0) { $0 + $1.line.count + 1 }
        lines = json.withUnsafeBytes { header in
            var lines: [UInt8] = []
            lines.reserveCapacity(header.count + 1 + count)
            lines.append(contentsOf: header)
            lines.append(UInt8(ascii: "\n"))
            for record in batch.records {
                lines.append(contentsOf: record.line)
                lines.append(UInt8(ascii: "\n"))
            }
            return lines
        }
    }
}

extension BatchHeader {
    /// The header of a batch. The checkpoint is the sink's last receipt.
    init(_ batch: EventBatch) {
        self.init(
            id: batch.id, installID: batch.installID, secret: batch.secret, seqs: batch.seqs,
            missing: batch.missing.map { MissingRange($0.first...max($0.first, $0.last), MissingReason($0.reason)) },
            ledger: batch.ledger.map {
                LedgerRow(reason: $0.reason.rawValue, seqs: $0.seqs, count: $0.count, times: $0.times)
            }, receipt: batch.checkpoint.flatMap(ReceiptName.init(checkpoint:)))
    }
}

extension MissingReason {
    fileprivate init(_ reason: MissingNumbers.Reason) {
        self =
            switch reason {
            case .erased: .erased
            case .optedOut: .optedOut
            case .refused: .refused
            case .dropped: .dropped
            case .deliveredEarlier: .deliveredEarlier
            case .forked: .forked
            case .held: .held
            }
    }
}

extension ReceiptName {
    /// Reads a sink's checkpoint; nil if it is damaged. Without a checkpoint, the collector may be unable to detect
    /// forks with certainty.
    init?(checkpoint: String) {
        guard let value = JSONValue(validating: checkpoint.utf8),
            let name = try? ReceiptName(value, at: "")  // nil: damaged
        else { return nil }
        self = name
    }

    /// The text that the log stores with the sink's cursor.
    var checkpoint: String {
        var json = JSONWriter()
        write(to: &json)
        return json.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
