import CommandRunner
import EventFormats
import Foundation
import JSONLines
import Testing

@Suite("Columns")
struct ColumnTests {
    @Test("in CSV are quoted only where necessary; an empty string and a missing value look the same")
    func csv() throws {
        let lines = [
            #"{"a":"x,y","b":"say \"hi\"","c":""}"#, #"{"a":"two\nlines","b":null,"c":[1, 2]}"#,
            #"{"a":-1,"b":"=1","c":true}"#,
        ]
        #expect(
            try formatted(lines, .csv) { $0.fields = try Field.list("a,b,c") }
                == "a,b,c\r\n\"x,y\",\"say \"\"hi\"\"\",\"\"\r\n\"two\nlines\",,\"[1,2]\"\r\n-1,=1,true\r\n")
        #expect(try formatted(["{}", #"{"a":1}"#], .csv) { $0.fields = try Field.list("a") } == "a\r\n\"\"\r\n1\r\n")
    }

    @Test("in CSV escape strings that look like formulas only on request, and never change numbers")
    func formulas() throws {
        let lines = ["=1+1", "+1", "-1", "@x", "\t=1", "a=1", ""].map { text in
            var json = JSONWriter()
            json.beginObject()
            json.key("a")
            json.string(text)
            json.key("n")
            json.integer(-1)
            json.endObject()
            return String(decoding: json.bytes, as: UTF8.self)
        }
        let guarded = try formatted(lines, .csv) {
            $0.isSpreadsheetSafe = true
            $0.fields = try Field.list("a,n")
        }
        #expect(guarded == "a,n\r\n'=1+1,-1\r\n'+1,-1\r\n'-1,-1\r\n'@x,-1\r\n'\t=1,-1\r\na=1,-1\r\n\"\",-1\r\n")
    }

    @Test("in TSV do so too, and both escape titles and fullwidth signs")
    func otherFormulas() throws {
        let lines = [#"{"@a":"=1","n":-1}"#, #"{"@a":"\uFF1D1","n":"-1"}"#, #"{"@a":"\uFF0A1","n":"\t=1"}"#]
        for (format, cells) in [
            (OutputFormat.csv, "'@a,n\r\n'=1,-1\r\n'\u{FF1D}1,'-1\r\n\u{FF0A}1,'\t=1\r\n"),
            (.tsv, "'@a\tn\n'=1\t-1\n'\u{FF1D}1\t'-1\n\u{FF0A}1\t'\\t=1\n"),
        ] {
            let guarded = try formatted(lines, format) {
                $0.isSpreadsheetSafe = true
                $0.fields = try Field.list("@a,n")
            }
            #expect(guarded == cells)
            let plain = try formatted(lines, format) { $0.fields = try Field.list("@a,n") }
            #expect(plain == cells.replacing("'", with: ""))
        }
    }

    @Test("in CSV escape the text of :pairs, too")
    func formulasOfPairs() throws {
        let lines = [
            #"{"a":{"@x":1}}"#, #"{"a":{"+1+cmd":"b","c":2}}"#, #"{"a":{"=1":2}}"#, #"{"a":{"b":"=1"}}"#, #"{"a":-1}"#,
            #"{"a":[1]}"#, #"{"a":{}}"#,
        ]
        let guarded = try formatted(lines, .csv) {
            $0.isSpreadsheetSafe = true
            $0.fields = try Field.list("a:pairs")
        }
        let cells = ["a:pairs", "'@x=1", "'+1+cmd=b c=2", #""""=1""=2""#, #""b=""=1""""#, "-1", "[1]", #""""#]
        #expect(guarded.split(separator: "\r\n").map(String.init) == cells)
        let plain = try formatted(lines, .csv) { $0.fields = try Field.list("a:pairs") }
        #expect(plain == guarded.replacing("'", with: ""))
    }

    @Test(
        "in CSV are read back by another CSV reader",
        .enabled(if: Python.isAvailable, "needs python3, to read CSV"))
    func otherReader() async throws {
        var random = RandomLines(seed: 5)
        let lines = try (0..<200).map { _ in try random.container() }
        let csv = try formatted(lines, .csv)
        let script = """
            import csv, io, json, sys
            text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8', newline='')
            for row in csv.reader(text, strict=True): print(json.dumps(row))
            """
        let result = try await runProgram(Python.path, ["python3", "-c", script], stdin: Array(csv.utf8))
        #expect(result.exitCode == 0, "\(result.stderr)")
        let rows = try result.lines.map { try JSONParser.parse($0.utf8) }
        #expect(rows.count == lines.count + 1)
        #expect(rows.first == .array(OutputFormat.standardFields.map { .string($0) }))
        for (line, row) in zip(lines, rows.dropFirst()) {
            let event = try JSONParser.parse(line.utf8)
            let value = event["event"]?["value"]
            guard case .array(let cells) = row else { Issue.record("no row"); continue }
            #expect(cells.count == 7)
            #expect(cells[1] == event["event"]?["name"])
            #expect(cells[2] == event["user_id"])
            #expect(cells[3] == event["session_id"])
            #expect(cells[4].stringValue.flatMap { Int64($0) } == event["seq"]?.integerValue)
            #expect(cells[5] == event["id"])
            let text = try #require(cells[6].stringValue)
            if let value { #expect(try JSONParser.parse(text.utf8) == value) } else { #expect(text.isEmpty) }
        }
    }

    @Test("in TSV contain no tabs or line ends of their own, and give back every text")
    func tsv() throws {
        let line = #"{"a":"t\tn\nr\rb\\ \\t","b":"","c":{"d":"x\ty"}}"#
        #expect(
            try formatted([line, "{}"], .tsv) { $0.fields = try Field.list("a,b,c") }
                == "a\tb\tc\nt\\tn\\nr\\rb\\\\ \\\\t\t\t{\"d\":\"x\\\\ty\"}\n\t\t\n")
    }

    @Test("of a view show times in UTC, and invalid times unchanged")
    func views() throws {
        let lines = [#"{"time":1536753247.3513384}"#, #"{"time":"noon"}"#, #"{"time":1e18}"#, #"{"time":1.5e9}"#, "{}"]
        #expect(
            try formatted(lines, .tsv) { $0.fields = try Field.list("time:rfc3339,time:date,time:hour,time:json") }
                == """
                time:rfc3339\ttime:date\ttime:hour\ttime:json
                2018-09-12T11:54:07.351338Z\t2018-09-12\t2018-09-12T11:00:00Z\t1536753247.3513384
                noon\tnoon\tnoon\t"noon"
                1e18\t1e18\t1e18\t1e18
                2017-07-14T02:40:00.000000Z\t2017-07-14\t2017-07-14T02:00:00Z\t1.5e9
                \t\t\t

                """)
    }
}

/// Another program that reads CSV.
enum Python {
    static let path = "/usr/bin/env"
    static let isAvailable: Bool = {
        let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
    }()
}
