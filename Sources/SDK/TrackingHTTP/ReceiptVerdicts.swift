internal import DeliveryProtocol
internal import EventModel
internal import Primitives

/// The result of each event of a batch, according to a receipt.
struct ReceiptVerdicts {
    /// The events that were not delivered.
    private(set) var verdicts: [Int64: EventVerdict] = [:]
    /// The number of events that the receipt lists.
    private(set) var namedCount = 0

    /// Looks up each event in a receipt. Precedence: erased and stored > rejected. Unlisted events are retried.
    ///
    /// - Parameter clean: Cleans the server's text for diagnostics and dead letters.
    init(_ receipt: Receipt, for batch: EventBatch, clean: (String) -> String) {
        let held = NumberRanges.union(receipt.stored + receipt.duplicates + receipt.unverified + receipt.erased)
        let rejections = Self.rejections(receipt, batch)
        for record in batch.records {
            if NumberRanges.contains(held, record.seq) {
                namedCount += 1
            } else if let rejection = rejections[record.seq] {
                namedCount += 1
                verdicts[record.seq] = .refused(
                    reason: clean("\(rejection.code): \(rejection.message)"),
                    location: rejection.instancePath.isEmpty ? nil : clean(rejection.instancePath))
            } else {
                verdicts[record.seq] = .retry(reason: "the receipt does not list event \(record.seq)")
            }
        }
    }

    /// The rejections by number. A line with an unreadable number is found by its index in the body.
    private static func rejections(_ receipt: Receipt, _ batch: EventBatch) -> [Int64: Receipt.Rejection] {
        var rejections: [Int64: Receipt.Rejection] = [:]
        for rejection in receipt.rejected {
            // The batch header is line 1.
            let index = rejection.line - 2
            let seq = rejection.seq ?? (batch.records.indices.contains(index) ? batch.records[index].seq : nil)
            if let seq { rejections[seq] = rejection }
        }
        return rejections
    }
}
