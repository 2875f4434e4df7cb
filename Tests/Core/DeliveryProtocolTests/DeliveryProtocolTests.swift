import DeliveryProtocol
import EventModel
import JSONLines
import Testing

@Suite("Requests and responses")
struct DeliveryProtocolTests {
    private let header = BatchHeader(
        id: String(repeating: "a1", count: 16), installID: "install-a", secret: String(repeating: "0f", count: 16),
        seqs: 1...120,
        missing: [.init(3...4, .erased), .init(7...7, .deliveredEarlier)],
        ledger: [
            .init(reason: "erased", seqs: 3...4, count: 2),
            .init(
                reason: "runaway", seqs: nil, count: 12,
                times: .init(microseconds: 1_500_000)...(.init(microseconds: 2_000_000))),
        ], receipt: ReceiptName(collector: "c", number: 41))

    private func parsed(_ value: some JSONLineWritable) throws -> JSONValue {
        var json = JSONWriter()
        try value.write(to: &json)
        return try JSONParser.parse(json.withUnsafeBytes { Array($0) })
    }

    @Test("A batch header equals the one written")
    func headerIsRead() throws {
        let read = try BatchHeader(parsed(header))
        #expect(read == header)
        var short = header
        (short.missing, short.ledger, short.receipt) = ([], [], nil)
        let readShort = try BatchHeader(parsed(short))
        #expect(readShort == short)
    }

    @Test("A line that is not a batch header is not read as one")
    func otherLine() throws {
        let header = try BatchHeader(["v": 1, "seq": 1])
        #expect(header == nil)
    }

    @Test(
        "A wrong member is named",
        arguments: [
            ("id", "A1", "/batch/id"), ("secret", 7, "/batch/secret"), ("install_id", "", "/batch/install_id"),
            ("first", 0, "/batch/first"), ("last", 0, "/batch/last"), ("missing", "x", "/batch/missing"),
            ("missing", [["first": 121, "last": 121, "reason": "held"]], "/batch/missing/0"),
            ("missing", [["first": 2, "last": 2, "reason": "lazy"]], "/batch/missing/0/reason"),
            (
                "missing", [["first": 5, "last": 6, "reason": "held"], ["first": 6, "last": 6, "reason": "held"]],
                "/batch/missing/1"
            ),
            ("ledger", [["reason": "", "count": 1]], "/batch/ledger/0/reason"),
            ("ledger", [["reason": "x", "count": -1]], "/batch/ledger/0/count"),
            ("receipt", ["collector": "c"], "/batch/receipt/number"),
        ] as [(String, JSONValue, String)])
    func wrong(name: String, value: JSONValue, pointer: String) throws {
        guard case .object(var batch)? = try parsed(header)["batch"] else { throw CancellationError() }
        batch[name] = value
        do {
            _ = try BatchHeader(.object(["batch": .object(batch)]))
            Issue.record("it was read")
        } catch { #expect(error.pointer == pointer) }
    }

    @Test("A receipt equals the one written")
    func receiptIsRead() throws {
        let receipt = Receipt(
            name: ReceiptName(collector: "c", number: 42), installID: "install-a", batchID: header.id,
            stored: [1...2, 5...6], duplicates: [5...5], unverified: [6...6], erased: [8...8],
            rejected: [
                .init(
                    seq: 9, id: "x", line: 8, code: "schema", message: "m", instancePath: "/event/value/page",
                    schemaPath: "/properties/page/minLength"),
                .init(seq: nil, id: nil, line: 9, code: "syntax", message: "n"),
            ], missing: [3...4], highest: 120)
        let read = try Receipt(parsed(receipt))
        #expect(read == receipt)
        guard case .object(var value) = try parsed(receipt) else { throw CancellationError() }
        value["stored"] = [[5, 6], [1, 2]]
        for (value, pointer) in [(["ok": true], "/receipt"), (JSONValue.object(value), "/stored/1")] {
            do {
                _ = try Receipt(value)
                Issue.record("it was read")
            } catch { #expect(error.pointer == pointer) }
        }
    }

    @Test("A problem equals the one written, with its status", arguments: DeliveryProblem.Code.allCases)
    func problem(code: DeliveryProblem.Code) throws {
        var problem = DeliveryProblem(code, "x", retryAfter: 7)
        if code == .fork { (problem.acknowledged, problem.forked) = ([1...3], [4...4]) }
        let value = try parsed(problem)
        #expect(DeliveryProblem(value) == problem)
        #expect(value["status"]?.integerValue == Int64(code.status))
        #expect(DeliveryProblem(["type": "about:blank"]) == nil)
    }
}
