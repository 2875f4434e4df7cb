import Foundation
import Testing

@testable import JSONLines

@Suite("Random values")
struct RandomEncodingTests {
    private func values(_ count: Int, isInOrder: Bool, from state: UInt64) -> [RandomEncodable] {
        var random = SeededGenerator(state: state)
        return (0..<count).map { _ in
            RandomEncodable(seed: random.next(), depth: 3, isInOrder: isInOrder)
        }
    }

    @Test("equal the output of Foundation's encoder, however they fill their containers", arguments: [true, false])
    func foundation(isInOrder: Bool) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.dateEncodingStrategy = .secondsSince1970
        for value in values(2_000, isInOrder: isInOrder, from: 11) {
            let ours = try JSONParser.parse(JSONLineEncoder.encode([value]))
            let theirs = try JSONParser.parse(encoder.encode([value]))
            try #require(ours == theirs, "seed \(value.seed)")
        }
    }

    @Test("give the same bytes on the fast and the slow path", arguments: [true, false])
    func bothWays(isInOrder: Bool) throws {
        var written = 0
        let all = values(1_000, isInOrder: isInOrder, from: 12)
        for value in all {
            var json = JSONWriter()
            let isWritten = LineStream.write(value, to: &json)
            if isWritten { written += 1 }
            var slow = JSONWriter()
            try JSONNode.encoding(value, path: []).write(to: &slow)
            if isWritten { try #require(json.bytes == slow.bytes, "seed \(value.seed)") }
            try #require(try JSONLineEncoder.encode(value) == slow.bytes, "seed \(value.seed)")
        }
        // Values in order need the slow path only for names in a dictionary that need an escape.
        #expect(written > all.count / 3)
        #expect(isInOrder || written < all.count)
    }

    @Test("can be written in the middle of a line, without changing the rest")
    func inTheMiddle() throws {
        for value in values(300, isInOrder: false, from: 13) {
            var json = JSONWriter()
            json.beginObject()
            json.key("before")
            json.beginArray()
            json.integer(1)
            try JSONLineEncoder.write(value, to: &json)
            json.endArray()
            json.key("after")
            json.bool(true)
            json.endObject()
            let alone = String(decoding: try JSONLineEncoder.encode(value), as: UTF8.self)
            try #require(
                String(decoding: json.bytes, as: UTF8.self) == #"{"before":[1,\#(alone)],"after":true}"#)
        }
    }
}
