package import CollectorStore
package import DeliveryProtocol
internal import EventModel

/// An install that sends batches: creates submissions like the server does for requests.
package struct Phone: Sendable {
    package var installID: String
    /// 32 hexadecimal digits.
    package var secret: String
    /// Returns the user of a number's event.
    package var user: @Sendable (Int64) -> String

    package init(
        _ installID: String, secret: String = String(repeating: "5e", count: 16),
        user: @escaping @Sendable (Int64) -> String = { _ in "user-1" }
    ) {
        (self.installID, self.secret, self.user) = (installID, secret, user)
    }

    /// A line. Lines of a clone have another `variant`.
    package func line(_ seq: Int64, variant: String = "") -> String {
        #"{"v":1,"install_id":"\#(installID)","seq":\#(seq),"user_id":"\#(user(seq))","time":\#(seq),"#
            + #""schema":"\#(Self.schema(seq))","event":{"variant":"\#(variant)"}}"#
    }

    /// A third of the events are searches.
    package static func schema(_ seq: Int64) -> String { seq % 3 == 0 ? "search/1-0-0" : "page-view/1-0-0" }

    /// A batch's id.
    package static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// A sealed batch, with a line for each number that is not missing.
    ///
    /// - Parameters:
    ///   - rejecting: Numbers whose lines the server rejects.
    ///   - reversed: Whether rejected lines are in reverse order.
    package func batch(
        _ number: Int, _ seqs: ClosedRange<Int64>, variant: String = "", variants: [Int64: String] = [:],
        missing: [BatchHeader.MissingRange] = [], ledger: [BatchHeader.LedgerRow] = [], receipt: ReceiptName? = nil,
        rejecting: Set<Int64> = [], at time: Int64 = 1_000_000
    ) -> Submission {
        let header = BatchHeader(
            id: Self.id(number), installID: installID, secret: secret, seqs: seqs, missing: missing, ledger: ledger,
            receipt: receipt)
        let lines = seqs.filter { seq in !missing.contains { $0.seqs.contains(seq) } }
        return submission(
            .batch(header), lines, at: time, firstLine: 2, rejecting: rejecting
        ) { variants[$0] ?? variant }
    }

    /// A request to erase one of the install's users.
    package func erasure(
        _ number: Int, of user: String, through: Int64? = nil, numbers: [ClosedRange<Int64>] = []
    ) -> InstallErasure {
        InstallErasure(
            id: Self.id(number), installID: installID, secret: secret, userID: user, through: through,
            numbers: numbers)
    }

    /// An import: lines without a header.
    package func imported(_ seqs: [Int64], variant: String = "", at time: Int64 = 1_000_000) -> Submission {
        submission(.imported(installID: installID), seqs, at: time, firstLine: 1, rejecting: []) { _ in variant }
    }

    private func submission(
        _ origin: Submission.Origin, _ seqs: [Int64], at time: Int64, firstLine: Int, rejecting: Set<Int64>,
        variant: (Int64) -> String
    ) -> Submission {
        var body: [UInt8] = []
        var ranges: [(seq: Int64, bytes: Range<Int>)] = []
        for seq in seqs {
            let start = body.count
            body += Array(line(seq, variant: variant(seq)).utf8)
            ranges.append((seq, start..<body.count))
            body.append(UInt8(ascii: "\n"))
        }
        var submission = Submission(origin, receivedAt: .init(microseconds: time), body: body)
        for (index, (seq, bytes)) in ranges.enumerated() {
            if rejecting.contains(seq) {
                submission.reject(
                    .init(
                        seq: seq, id: "id-\(seq)", line: firstLine + index, code: "schema", message: "no such page",
                        instancePath: "/event/page", schemaPath: "/properties/page/enum"), bytes: bytes)
            } else {
                submission.accept(
                    seq: seq, number: firstLine + index, bytes: bytes, time: .init(microseconds: seq * 1_000_000),
                    user: user(seq), schema: Self.schema(seq))
            }
        }
        return submission
    }
}

/// Batches that are derived from an install's name and a number: after a process is killed, its successor sends the
/// same batches, and the test knows what must be stored.
package enum PlannedBatches {
    /// The numbers of a batch; each batch starts where the previous batch ends.
    package static func seqs(_ batch: Int) -> ClosedRange<Int64> {
        var first: Int64 = 1
        for earlier in 0..<batch { first += Int64(length(earlier)) }
        return first...(first + Int64(length(batch)) - 1)
    }

    package static func submission(_ phone: Phone, _ batch: Int) -> Submission { phone.batch(batch, seqs(batch)) }

    private static func length(_ batch: Int) -> Int { 1 + (batch * 7919) % 13 }
}
