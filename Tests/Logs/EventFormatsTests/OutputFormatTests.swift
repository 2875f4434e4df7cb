import EventFormats
import JSONLines
import Testing

@Suite("The formats")
struct OutputFormatTests {
    @Test("have the names of the command line")
    func names() {
        #expect(
            OutputFormat.allCases.map(\.rawValue) == [
                "jsonl", "pretty", "table", "csv", "tsv", "json-seq", "cloudevents", "segment", "otlp",
            ])
        #expect(
            OutputFormat.allCases.map(\.fileExtension) == [
                "jsonl", "json", "txt", "csv", "tsv", "json-seq", "jsonl", "jsonl", "jsonl",
            ])
        #expect(OutputFormat.allCases.allSatisfy { !$0.summary.isEmpty })
    }

    @Test("leave earlier output in the buffer unchanged, and do not depend on the chunk size")
    func pieces() throws {
        let lines = try Golden.lines
        for format in OutputFormat.allCases {
            var writer = try format.lineFormat(FormatOptions())
            var written: [UInt8] = []
            var output = Array("before".utf8)
            func empty() {
                #expect(output.starts(with: "before".utf8))
                written += output.dropFirst(6)
                output = Array("before".utf8)
            }
            writer.begin(into: &output)
            for line in lines {
                empty()
                try append(line, to: &writer, &output)
            }
            empty()
            writer.end(into: &output)
            empty()
            #expect(String(decoding: written, as: UTF8.self) == (try formatted(lines, format)), "\(format.rawValue)")
        }
    }

    @Test("for reading back write equivalent JSON, if their lines are JSON")
    func pretty() throws {
        var random = RandomLines(seed: 7)
        for _ in 0..<200 {
            let line = try random.container()
            let pretty = try formatted([line], .pretty)
            #expect(try JSONParser.parse(pretty.utf8) == JSONParser.parse(line.utf8))
            #expect(pretty.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        }
    }
}
