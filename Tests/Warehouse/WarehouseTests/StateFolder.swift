import CommandRunner
import DeliveryProtocol
import EventModel
import StreamClient
import Warehouse

/// A folder with the state of a partition, and the messages that a test sends.
struct StateFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func open(
        partition: Int = 3, stream: String = "s1", partitions: Int = 16, hashDays: Int = 400, day: Int64 = 100_000
    ) throws -> PartitionState {
        try PartitionState(
            folder: folder.path("state"), partition: partition, stream: stream, partitions: partitions,
            hashDays: hashDays, now: { EventTime(microseconds: day * 86_400_000_000) })
    }

    static func line(_ install: String, _ seq: Int64, variant: String = "", user: String = "u") -> String {
        #"{"v":1,"id":"018f3c00-0000-7000-8000-00000000\#(1000 + seq)","install_id":"\#(install)","seq":\#(seq),"#
            + #""session_id":"s","user_id":"\#(user)","time":\#(seq).5,"schema":"search/1-0-0","#
            + #""event":{"name":"search","value":{"q":"a\"b\#(variant)","n":1.0}}}"#
    }

    /// A message with the lines of some numbers.
    static func message(
        _ numbers: [ClosedRange<Int64>], of install: String = "a", batch: Int = 1, collector: String = "c1",
        variant: String = "", user: String = "u", hour: Int64 = 420_000, absent: [StreamMessage.AbsentNumbers] = [],
        unvalidated: [ClosedRange<Int64>] = []
    ) -> StreamMessage {
        let text = numbers.joined().map { line(install, $0, variant: variant, user: user) + "\n" }.joined()
        return StreamMessage(
            receipt: ReceiptName(collector: collector, number: Int64(batch)),
            batchID: String(repeating: "0", count: 32 - "\(batch)".count) + "\(batch)", installID: install,
            secretHash: [1, 2], seqs: 1...100, receivedAt: EventTime(microseconds: hour * 3_600_000_000 + 7),
            sentAt: EventTime(microseconds: hour * 3_600_000_000 - 999_993), absent: absent, numbers: numbers,
            unvalidated: unvalidated, text: Array(text.utf8))
    }

    static func cut(_ number: Int64, _ messages: Int = 1, partition: Int = 3) -> BlockCut {
        BlockCut(
            partition: partition, number: number, after: (number - 1) * 10, through: number * 10,
            messages: Int64(messages), digest: 0)
    }
}

extension PartitionState {
    /// The block that some messages give; the state moves on.
    func block(_ number: Int64, _ messages: [StreamMessage]) throws -> Block {
        try add(StateFolder.cut(number, messages.count), cutSequence: number, messages) { $0 }
    }
}
