import Testing

@testable import JSONLines

@Suite("LineSplitter")
struct LineSplitterTests {
    private func split(_ text: String, chunk: Int, limit: Int = 1000) -> [String] {
        var splitter = LineSplitter(maximumLength: limit)
        var lines: [String] = []
        func take(_ line: LineSplitter.Line) {
            switch line {
            case .complete(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
            case .torn(let bytes): lines.append("torn " + String(decoding: bytes, as: UTF8.self))
            case .tooLong: lines.append("too long")
            }
        }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            splitter.feed(bytes[start..<min(start + chunk, bytes.count)], line: take)
        }
        splitter.finish(line: take)
        return lines
    }

    @Test("gives the same lines for any chunks", arguments: 1...12)
    func chunks(size: Int) {
        #expect(split("ab\n\ncdé\nef", chunk: size) == ["ab", "", "cdé", "torn ef"])
        #expect(split("", chunk: size) == [])
        #expect(split("\n", chunk: size) == [""])
        #expect(split("ab\n", chunk: size) == ["ab"])
    }

    @Test("skips a line that is too long and continues after it", arguments: 1...12)
    func tooLong(size: Int) {
        #expect(split("abcd\nabcde\nab\n", chunk: size, limit: 4) == ["abcd", "too long", "ab"])
        #expect(split("ab\nabcdefgh", chunk: size, limit: 4) == ["ab", "too long"])
    }
}
