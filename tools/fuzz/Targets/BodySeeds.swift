internal import DeliveryProtocol
internal import EventModel
internal import JSONLines

/// Valid and invalid request bodies.
enum BodySeeds {
    /// Bodies with and without a header, of one line and of several.
    static func bodies(of lines: [[UInt8]]) -> [[UInt8]] {
        let wrong = ["", "\n", "\r\n", "{}", "{\"batch\":{}}", "{\"batch\":null}\n{}", "[1]\n{}", "{\"batch\":"]
        var bodies = wrong.map { Array($0.utf8) } + lines + lines.map { header($0) + $0 }
        for start in stride(from: 0, to: lines.count, by: 3) {
            let some = lines[start..<min(start + 3, lines.count)]
            bodies.append(header(lines[start]) + some.flatMap { $0 + [UInt8(ascii: "\n")] })
        }
        for line in lines.prefix(20) { bodies.append(header(line, hasMore: true) + line) }
        return bodies
    }

    private static func header(_ line: [UInt8], hasMore: Bool = false) -> [UInt8] {
        let container = try? RecordedContainer(line: line)  // of no event: any header will do
        let first = max(1, (container?.seq ?? 1) - 6)
        var header = BatchHeader(
            id: "0123456789abcdef0123456789abcdef", installID: container?.installID ?? "a",
            secret: "00112233445566778899aabbccddeeff", seqs: first...first + 6)
        if hasMore {
            header.missing = [.init(first...first, .dropped), .init(first + 1...first + 2, .held)]
            header.ledger = [
                .init(reason: "backlog-full", seqs: first...first, count: 1),
                .init(
                    reason: "opted-out", seqs: nil, count: 7,
                    times: EventTime(microseconds: 1)...EventTime(microseconds: 2)),
            ]
            header.receipt = ReceiptName(collector: "0123456789abcdef0123456789abcdef", number: 1)
        }
        var json = JSONWriter()
        header.write(to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
