import CommandRunner
import EventModel
import Foundation
import Testing

@Suite("trackctl merge")
struct TrackctlMergeTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func merge(_ arguments: [String], stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["merge"] + arguments, stdin: stdin)
    }

    /// A line's text with another time.
    private func shifted(_ line: TrackctlLine, to microsecond: Int64) -> String {
        var other = line
        other.microsecond = microsecond
        return other.text
    }

    @Test("Logs, plain and compressed files are merged by time, install and number, byte for byte")
    func order() async throws {
        let first = [
            TrackctlLine(1, microsecond: 10), TrackctlLine(2, microsecond: 30), TrackctlLine(3, microsecond: 30),
        ]
        let second = [
            TrackctlLine(1, install: "install-b", microsecond: 5),
            TrackctlLine(2, install: "install-b", microsecond: 30),
        ]
        let third = [TrackctlLine(7, install: "a", microsecond: 30)]
        let inputs = [
            try await folder.log("a.sqlite", first), try folder.file("b.jsonl.gz", try await gzip(second.text)),
            try folder.file("c.jsonl", third.text),
        ]
        let expected = [second[0], first[0], third[0], first[1], first[2], second[1]].text
        let result = try await merge(inputs)
        #expect(result.text == expected && result.exitCode == 0)
        #expect(result.stderr == "trackctl: 6 events of 3 inputs, 0 duplicates dropped\n")
        #expect(try await merge(inputs.reversed()).text == expected)
    }

    @Test("Of lines with one id the first in time is kept, however far apart they are, in upper or lower case")
    func doubles() async throws {
        let lines = [TrackctlLine].launches(1...9)
        let late = shifted(lines[4], to: 900_000)
        let upper = lines[6].text.replacingOccurrences(
            of: lines[6].id.description, with: lines[6].id.description.uppercased())
        let copy = try folder.file("copy.jsonl", [late, upper, lines[0].text].map { $0 + "\n" }.joined())
        let file = try folder.file("a.jsonl", lines.text)
        let result = try await merge([copy, file])
        #expect(result.stderr == "trackctl: 9 events of 2 inputs, 3 duplicates dropped\n")
        #expect(result.lines == lines.prefix(6).map(\.text) + [upper] + lines.suffix(2).map(\.text))
        let kept = try await merge([file, copy, "--keep-doubles"])
        #expect(kept.lines.count == 12 && kept.lines.last == late)
        #expect(kept.stderr == "trackctl: 12 events of 2 inputs, duplicates kept\n")
    }

    @Test("Ids that are not UUIDs are distinguished; lines with no id, or an empty one, are all kept")
    func oddIDs() async throws {
        func line(_ id: String, _ seq: Int) -> String {
            #"{\#(id)"install_id":"i","seq":\#(seq),"time":\#(seq),"event":{"name":"a"}}"#
        }
        let lines = [
            line(#""id":"x","#, 1), line(#""id":"y","#, 2), line(#""id":"\u0078","#, 3), line("", 4), line("", 5),
            line(#""id":"","#, 6), line(#""id":"","#, 7),
        ]
        let result = try await merge(["-"], stdin: Array(lines.map { $0 + "\n" }.joined().utf8))
        #expect(result.lines == [lines[0], lines[1]] + lines.suffix(4))
    }

    @Test("More lines than fit into memory are sorted, and their duplicates are found")
    func spilled() async throws {
        // More than 8 MiB of lines; and their ids with the sort keys are more than 4 MiB.
        let (user, install) = (String(repeating: "x", count: 12_000), String(repeating: "i", count: 3000))
        let lines = [TrackctlLine].launches(1...1000).map { line in
            var line = line
            (line.user, line.install) = (user, install)
            return line
        }
        var generator = SeededGenerator(seed: 3)
        let copies = lines.prefix(750).map { shifted($0, to: 900_000) + "\n" }
        let file = try folder.file("a.jsonl", lines.shuffled(using: &generator).text + copies.joined())
        let result = try await merge([file])
        #expect(result.stderr == "trackctl: 1,000 events of 1 input, 750 duplicates dropped\n")
        #expect(result.text == lines.text)
    }

    @Test("Selections, formats and a new file")
    func options() async throws {
        let file = try folder.file(
            "a.jsonl", [TrackctlLine(2, "search"), TrackctlLine(1), TrackctlLine(3, "search")].text)
        let csv = try await merge([
            file, "--event", "search", "-o", "csv", "--fields", "seq", "--to", folder("out.csv"),
        ])
        #expect(csv.stdout.isEmpty && csv.exitCode == 0)
        #expect(folder.bytes("out.csv") == Array("seq\r\n2\r\n3\r\n".utf8))
        #expect(try folder.names() == ["a.jsonl", "out.csv"])
        let again = try await merge([file, "--to", folder("out.csv")])
        #expect(again.exitCode == 64 && again.stderr.contains("choose another name"))
        let log = try await merge([file, "--to", folder("out.sqlite")])
        #expect(log.exitCode == 64 && log.stderr.contains("trackctl replay - --to"))
    }

    @Test("A new file whose name ends in .gz is compressed, in every format")
    func compressed() async throws {
        let lines = [TrackctlLine].launches(1...3000)
        let file = try folder.file("a.jsonl", lines.text)
        #expect(try await merge([file, "--to", folder("out.jsonl.gz")]).exitCode == 0)
        #expect(try await gunzip(try #require(folder.bytes("out.jsonl.gz"))) == Array(lines.text.utf8))
        #expect(try await merge([file, "-o", "csv", "--fields", "seq", "--to", folder("out.csv.GZ")]).exitCode == 0)
        let csv = "seq\r\n" + lines.map { "\($0.seq)\r\n" }.joined()
        #expect(try await gunzip(try #require(folder.bytes("out.csv.GZ"))) == Array(csv.utf8))
        #expect(try folder.names() == ["a.jsonl", "out.csv.GZ", "out.jsonl.gz"])
        #expect(try await merge([folder("out.jsonl.gz")]).text == lines.text)
    }

    @Test("Lines without a position, and missing inputs, are reported; the rest is merged")
    func issues() async throws {
        let bad = [#"{"event":{"name":"a"}}"#, TrackctlLine(1).text.replacing("1536753247.000001", with: "1e40"), "{"]
        let file = try folder.file("a.jsonl", (bad + [TrackctlLine(2).text, ""]).joined(separator: "\n"))
        let result = try await merge([file, folder("none.jsonl")])
        #expect(result.lines == [TrackctlLine(2).text] && result.exitCode == 65)
        for number in 1...3 { #expect(result.stderr.contains("\(file):\(number):")) }
        #expect(result.stderr.contains("none.jsonl"))
        #expect(try await merge([folder("none.jsonl")]).exitCode == 66)
    }
}
