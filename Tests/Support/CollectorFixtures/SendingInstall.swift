package import DeliveryProtocol
internal import JSONLines

/// An install that sends requests like the SDK: a batch header, and valid lines of the event `search`.
package struct SendingInstall: Sendable {
    package var id: String
    /// 32 hexadecimal digits.
    package var secret: String
    /// Returns the user of a number's event.
    package var user: @Sendable (Int64) -> String

    package init(
        _ id: String, secret: String = String(repeating: "5e", count: 16),
        user: @escaping @Sendable (Int64) -> String = { _ in "user-1" }
    ) {
        (self.id, self.secret, self.user) = (id, secret, user)
    }

    /// A valid line, without its line feed.
    ///
    /// - Parameter query: Distinguishes lines with the same number.
    package func line(_ seq: Int64, query: String = "swift") -> String {
        let digits = String(seq, radix: 16)
        let padded = String(repeating: "0", count: 12 - digits.count) + digits
        return #"{"v":1,"id":"0190b5a0-0000-7000-8000-\#(padded)","install_id":"\#(id)","seq":\#(seq),"#
            + #""session_id":"0190B5A0-0000-7000-8000-000000000001","user_id":"\#(user(seq))","#
            + #""time":\#(1_700_000_000 + seq),"schema":"search/1-0-0","#
            + #""event":{"name":"search","value":{"query":"\#(query)","page":1}}}"#
    }

    /// The header of a batch, without its line feed.
    package func header(
        _ number: Int, _ seqs: ClosedRange<Int64>, missing: [BatchHeader.MissingRange] = [],
        ledger: [BatchHeader.LedgerRow] = [], receipt: ReceiptName? = nil
    ) -> String {
        var json = JSONWriter()
        BatchHeader(
            id: Phone.id(number), installID: id, secret: secret, seqs: seqs, missing: missing, ledger: ledger,
            receipt: receipt
        ).write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The body of a batch with a line for each number.
    package func body(_ number: Int, _ seqs: ClosedRange<Int64>, query: String = "swift") -> [UInt8] {
        Self.body([header(number, seqs)] + seqs.map { line($0, query: query) })
    }

    /// The body of a request to erase one of the install's users.
    package func erasure(
        _ number: Int, of user: String, through: Int64? = nil, numbers: [ClosedRange<Int64>] = []
    ) -> [UInt8] {
        var json = JSONWriter()
        InstallErasure(
            id: Phone.id(number), installID: id, secret: secret, userID: user, through: through, numbers: numbers
        ).write(to: &json)
        return json.bytes
    }

    /// Lines with their line feeds.
    package static func body(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}
