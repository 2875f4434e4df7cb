import CollectorFixtures
import CollectorIntake
import DeliveryProtocol
import EventLog
import EventModel
import JSONLines
import Testing

@Suite("The size of a batch header")
struct HeaderSizeTests {
    @Test("The longest header that a log of the SDK seals is within the limits")
    func longestHeader() throws {
        let most = EventRecord.highestSeq
        let header = BatchHeader(
            id: Phone.id(1), installID: String(repeating: "\u{1}", count: 128), secret: Phone("install-a").secret,
            seqs: most...most,
            missing: Array(repeating: .init(most...most, .deliveredEarlier), count: EventBatch.maximumMissing),
            ledger: DropReason.allCases.flatMap { reason in
                [
                    BatchHeader.LedgerRow(reason: reason.rawValue, seqs: most...most, count: most),
                    BatchHeader.LedgerRow(
                        reason: reason.rawValue, seqs: nil, count: most,
                        times: EventTime(microseconds: -most)...EventTime(microseconds: -most)),
                ]
            }, receipt: ReceiptName(collector: String(repeating: "c", count: 64), number: most))
        var json = JSONWriter()
        header.write(to: &json)
        let limits = IntakeLimits()
        // The rows of the longest reason, instead of one of each.
        let rows = header.ledger.map { row in
            var json = JSONWriter()
            row.write(to: &json)
            return json.bytes.count + 1
        }
        let longest = try #require(rows.max()) * EventBatch.maximumLedgerRows
        #expect(json.bytes.count - rows.reduce(0, +) + longest <= limits.maximumHeaderBytes)
        #expect(EventBatch.maximumMissing <= limits.maximumMissing)
        #expect(EventBatch.maximumLedgerRows <= limits.maximumLedgerRows)
    }
}
