import DeliveryProtocol
import EventModel
import Primitives
import StreamClient
import Testing

@Suite("Messages of the stream")
struct StreamMessageTests {
    private func message(lines: ClosedRange<Int64> = 1...4, length: Int = 20) -> StreamMessage {
        let text = lines.map { seq in
            "{\"seq\":\(seq),\"pad\":\"\(String(repeating: "x", count: length))\"}\n"
        }.joined()
        return StreamMessage(
            receipt: ReceiptName(collector: "c1", number: 7), batchID: String(repeating: "ab", count: 16),
            installID: "install \"1\"", secretHash: Array(repeating: 0x5E, count: 32), seqs: 1...9,
            receivedAt: EventTime(microseconds: 1_700_000_000_123_456), sentAt: EventTime(microseconds: -5),
            absent: [
                .init(5...6, .held), .init(7...7, .refused, reason: "schema"),
                .init(8...9, .dropped, reason: "evicted"),
            ],
            numbers: [lines], unvalidated: [2...3], text: Array(text.utf8))
    }

    @Test("A payload gives the same message")
    func roundTrip() throws {
        for sent in [
            message(), message(lines: 3...3),
            StreamMessage(
                receipt: ReceiptName(collector: "c", number: 1), batchID: nil, installID: "a", seqs: nil,
                receivedAt: EventTime(microseconds: 0), numbers: [2...2, 9...9], text: Array("{}\n{}\n".utf8)),
        ] {
            #expect(try StreamMessage(payload: sent.payload) == sent)
        }
    }

    @Test("The id depends on the content, and not on the collector")
    func id() {
        var other = message()
        other.receipt = ReceiptName(collector: "c2", number: 1)
        other.receivedAt = EventTime(microseconds: 9)
        other.sentAt = nil
        #expect(other.id == message().id)
        #expect(message().id.hasPrefix(String(repeating: "ab", count: 16) + "-"))
        // Another collector has rejected a line of the same batch.
        var fewer = message(lines: 1...3)
        #expect(fewer.id != message().id)
        fewer = message()
        fewer.absent.removeLast()
        #expect(fewer.id != message().id)
    }

    @Test("Parts are within the limit and have all lines once", arguments: [300, 500, 1000, 5000, 1_000_000])
    func split(limit: Int) throws {
        let whole = message(lines: 1...40, length: 60)
        let parts = whole.split(limit: limit)
        #expect(parts.flatMap(\.text) == whole.text)
        #expect(NumberRanges.union(parts.flatMap(\.numbers)) == whole.numbers)
        #expect(NumberRanges.union(parts.flatMap(\.unvalidated)) == whole.unvalidated)
        #expect(parts.flatMap(\.absent) == whole.absent)
        #expect(Set(parts.map(\.id)).count == parts.count)
        for part in parts {
            // A part has at least one line or range.
            #expect(part.payload.count <= limit || part.numbers.joined().count + part.absent.count == 1)
            #expect(try StreamMessage(payload: part.payload) == part)
        }
        #expect((parts.count == 1) == (whole.payload.count <= limit))
    }

    @Test("Absent numbers are split, too: each part is within the limit")
    func splitAbsent() throws {
        let top: Int64 = (1 << 53) - 20_000
        let reason = String(repeating: "r", count: 64)
        var whole = message(lines: 1...2000, length: 200)
        whole.absent = (0..<6150).map { .init(top + 2 * $0...top + 2 * $0, .dropped, reason: reason) }
        whole.numbers = (1...2000).map { 2 * $0...2 * $0 }
        whole.unvalidated = whole.numbers
        for limit in [20_000, 900_000] {
            let parts = whole.split(limit: limit)
            #expect(parts.allSatisfy { $0.payload.count <= limit })
            #expect(parts.count <= whole.payload.count / limit * 3 / 2 + 2)
            #expect(parts.flatMap(\.absent) == whole.absent && parts.flatMap(\.text) == whole.text)
            #expect(parts.flatMap(\.numbers) == whole.numbers && parts.flatMap(\.unvalidated) == whole.numbers)
            for part in parts { #expect(try StreamMessage(payload: part.payload) == part) }
        }
    }

    @Test("Removed lines become erased numbers; nothing else changes")
    func removing() throws {
        let whole = message(lines: 1...4)
        #expect(whole.removing { _ in false } == nil)
        let rest = try #require(
            whole.removing { line in String(decoding: line, as: UTF8.self).contains("\"seq\":3") })
        #expect(rest.numbers == [1...2, 4...4] && rest.unvalidated == [2...2] && rest.lineCount == 3)
        #expect(rest.absent == [.init(3...3, .erased)] + whole.absent)
        #expect(rest.receipt == whole.receipt && rest.secretHash == whole.secretHash && rest.id != whole.id)
        #expect(try StreamMessage(payload: rest.payload) == rest)
        let none = try #require(whole.removing { _ in true })
        #expect(none.text.isEmpty && none.numbers.isEmpty && none.absent.first == .init(1...4, .erased))
        let record = ErasedMessage(sequence: 7, digest: .max)
        #expect(try ErasedMessage(payload: record.payload) == record)
    }

    @Test("Each line has its number")
    func lines() {
        var sent = message()
        sent.numbers = [1...2, 4...4, 9...9]
        var found: [String] = []
        sent.forEachLine { seq, line in found.append("\(seq) \(line.count)") }
        #expect(found == ["1 38", "2 38", "4 38", "9 38"])
    }

    @Test(
        "Another form is an error",
        arguments: [
            ("", "the payload has no header line"),
            ("{\n", "the header is not JSON"),
            ("{\"v\":2}\n", "the header has an unknown version: update this program"),
            ("{\"v\":1}\n", "the header is invalid: /receipt: is missing"),
            (
                #"{"v":1,"receipt":{"collector":"c","number":1},"received_at":1,"install_id":"a","lines":[[1,2]]}"#
                    + "\n{}\n", "the header is invalid: /lines: must have a number for each line"
            ),
            (
                #"{"v":1,"receipt":{"collector":"c","number":1},"received_at":1,"install_id":"a","lines":[[1,1]]}"#
                    + "\n{}", "the header is invalid: /lines: must have a number for each line"
            ),
            (
                #"{"v":1,"receipt":{"collector":"c","number":1},"received_at":1,"install_id":"a","absent":[{"first":1,"last":2,"fate":"eaten"}]}"#
                    + "\n", "the header is invalid: /absent/0/fate: is unknown: update this program"
            ),
        ])
    func invalid(payload: String, reason: String) {
        let error = #expect(throws: StreamMessageError.self) { try StreamMessage(payload: Array(payload.utf8)) }
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("The highest numbers, many times, are an error, not a trap")
    func highest() {
        let ranges = Array(repeating: "[1,9007199254740991]", count: 1100).joined(separator: ",")
        let receipt = #""receipt":{"collector":"c","number":1},"received_at":1"#
        let head = #"{"v":1,\#(receipt),"install_id":"a","lines":[\#(ranges)]}"#
        #expect(throws: StreamMessageError.self) { try StreamMessage(payload: Array("\(head)\n{}\n".utf8)) }
    }

    @Test("A cut's payload gives the same cut")
    func cut() throws {
        let cut = BlockCut(partition: 3, number: 17, after: 1200, through: 1350, messages: 9, digest: .max - 1)
        #expect(try BlockCut(payload: cut.payload) == cut)
        #expect(cut.id == "3-17")
        for payload in [
            "", "{}", #"{"v":1,"partition":0,"block":0,"after":0,"through":1,"messages":1,"digest":"0"}"#,
        ] {
            #expect(throws: StreamMessageError.self) { try BlockCut(payload: Array(payload.utf8)) }
        }
    }

    @Test("The partition is the first eight bytes of the SHA-256, little-endian, modulo the count")
    func partition() {
        // sha256sum of "a" is ca978112ca1bbdca…
        #expect(StreamNames.partition(ofInstall: "a", count: 16) == Int(0xCABD_1BCA_1281_97CA % UInt64(16)))
        #expect(StreamNames.partition(ofInstall: "a", count: 7) == Int(0xCABD_1BCA_1281_97CA % UInt64(7)))
        let all = (0..<2000).map { StreamNames.partition(ofInstall: "install-\($0)", count: 16) }
        #expect(Set(all) == Set(0..<16))
    }
}
