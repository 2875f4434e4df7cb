import CommandRunner
import Foundation
import Testing

@Suite("trackctl and malformed inputs")
struct TrackctlFaultyInputTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func dump(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["dump"] + arguments, stdin: stdin)
    }

    @Test("Each malformed line is reported with its location, and the rest is read")
    func faultyLines() async throws {
        let (first, last) = (TrackctlLine(1).text, TrackctlLine(2).text)
        let file = try folder.file(
            "a.jsonl",
            """
            \(first)
            {"a":1,}
            \(first.dropLast())

            [1]
            {"id":"x"}
            \(last)

            """)
        let result = try await dump(file, "--strict")
        #expect(result.lines == [first, last])
        #expect(
            result.stderr == """
                \(file):2:8: expected a name in quotes
                \(file):3:\(first.utf8.count): expected ',' or '}'
                \(file):4:1: the line is empty
                \(file):5:1: not a tracking container: the line is not an object
                \(file):6:1: not a tracking container: 'id' is missing or of the wrong type
                trackctl: skipped 5 malformed lines

                """)
        #expect(result.exitCode == 65)
    }

    @Test("Of many lines malformed for the same reason ten are reported, and the others are counted")
    func manyIssues() async throws {
        let lines = [TrackctlLine].launches(1...2)
        let faulty = (1...5_000).map { #"{"id":\#($0)}"# + "\n" }
        let file = try folder.file("a.jsonl", lines.text + faulty.joined())
        let reason = "not a tracking container: 'id' is missing or of the wrong type"
        let told = (3...12).map { "\(file):\($0):1: \(reason)\n" }.joined()
        for command in [["dump"], ["stats"], ["merge"], ["assert", "-e", "launch == 2"], ["tail", "-n", "9000"]] {
            let result = try await trackctl(command + [file])
            #expect(result.stderr.hasPrefix(told + "… and 4,990 more like this\ntrackctl: "), "\(command)")
            #expect(result.stderr.hasSuffix("trackctl: skipped 5,000 malformed lines\n"), "\(command)")
            #expect(result.exitCode == 65)
        }
    }

    @Test("Standard input is named in the location of a malformed line")
    func standardInput() async throws {
        let result = try await dump("-", stdin: Array("?\n".utf8))
        #expect(result.stderr == "<stdin>:1:1: expected a value\ntrackctl: skipped 1 malformed line\n")
        #expect(result.exitCode == 65)
    }

    @Test("A line is malformed if it is truncated, has no event, or an event without a name")
    func shape() async throws {
        let whole = TrackctlLine(1).text
        let odd = whole.replacingOccurrences(of: #""seq":1"#, with: #""seq":01"#)
        let lines = [whole, String(whole.dropLast()), "{\"id\":\"x\"}", "{\"event\":{\"name\":1}}", odd]
        let file = try folder.file("a.jsonl", lines.map { $0 + "\n" }.joined())
        let result = try await dump(file)
        #expect(result.lines == [whole, odd])
        #expect(
            result.stderr == """
                \(file):2:\(whole.utf8.count): expected ',' or '}'
                \(file):3:1: not a tracking container: 'id' is missing or of the wrong type
                \(file):4:1: not a tracking container: 'id' is missing or of the wrong type
                trackctl: skipped 3 malformed lines

                """)
        #expect(result.exitCode == 65)
        #expect(try await dump(file, "--strict").lines == [whole])
    }

    @Test("A last line without a line feed is a torn write, even if it is complete")
    func tornLine() async throws {
        let file = try folder.file("a.jsonl", "\(TrackctlLine(1).text)\n\(TrackctlLine(2).text)")
        let result = try await dump(file)
        #expect(result.lines == [TrackctlLine(1).text])
        #expect(result.stderr.hasPrefix("\(file):2:1: torn write: the last line has no line feed\n"))
        #expect(result.exitCode == 65)
    }

    @Test("A number that a log cannot store is malformed")
    func hugeSeq() async throws {
        let line = TrackctlLine(1).text.replacingOccurrences(of: #""seq":1"#, with: #""seq":9223372036854775807"#)
        let result = try await dump("-", "--strict", stdin: Array("\(line)\n".utf8))
        #expect(result.stderr.hasPrefix("<stdin>:1:1: not a tracking container: 'seq' is missing or"))
        #expect(result.exitCode == 65)
    }

    @Test("A truncated gzip file gives its lines up to the end", arguments: [3, 9, 200])
    func truncated(missing: Int) async throws {
        let lines = [TrackctlLine].launches(1...200)
        let file = try folder.file("a.jsonl.gz", try await gzip(lines.text).dropLast(missing))
        let result = try await dump(file)
        #expect(lines.text.hasPrefix(result.text))
        #expect(result.text.last == "\n")
        #expect(missing > 8 || result.text == lines.text)
        #expect(result.stderr.hasPrefix("trackctl: the compressed data of \(file) ends too early"))
        #expect(result.exitCode == 65)
    }

    @Test("A gzip file with a wrong checksum gives its lines and an error")
    func corrupt() async throws {
        var bytes = try await gzip([TrackctlLine(1)].text)
        bytes[bytes.count - 8] ^= 1
        let file = try folder.file("a.jsonl.gz", bytes)
        let result = try await dump(file)
        #expect(result.lines == [TrackctlLine(1).text])
        #expect(result.stderr.hasPrefix("trackctl: the compressed data of \(file) is damaged (incorrect data check)"))
        #expect(result.exitCode == 65)
    }

    @Test("A missing input does not stop dump from reading the others")
    func missingInput() async throws {
        let file = try folder.file("a.jsonl", [TrackctlLine(1)].text)
        let result = try await dump(folder("none.jsonl"), folder("none.sqlite"), file)
        #expect(result.lines == [TrackctlLine(1).text])
        #expect(
            result.stderr == """
                trackctl: cannot open \(folder("none.jsonl")): no such file; check the path
                trackctl: cannot open \(folder("none.sqlite")): no such file; check the path

                """)
        #expect(result.exitCode == 66)
    }

    @Test("A folder without a log is no input")
    func aFolder() async throws {
        let result = try await dump(folder.path)
        #expect(
            result.stderr
                == "trackctl: no .jsonl or .sqlite files in \(folder.path): pass another folder\n")
        #expect(result.exitCode == 66)
    }

    @Test("A file that only has the name of a database is malformed", arguments: ["a.sqlite", "a.db"])
    func notADatabase(name: String) async throws {
        let file = try folder.file(name, [TrackctlLine(1)].text)
        let result = try await dump(file)
        #expect(result.text.isEmpty)
        #expect(
            result.stderr == """
                trackctl: \(file) is named like a database but is not an SQLite database: rename it if it holds \
                JSON lines

                """)
        #expect(result.exitCode == 65)
    }

    @Test("Another program's database is rejected and left unchanged")
    func otherDatabase() async throws {
        try folder.execute("a.sqlite", "CREATE TABLE notes (text TEXT)")
        let before = folder.bytes("a.sqlite")
        let input = try folder.file("a.jsonl", [TrackctlLine(1)].text)
        for arguments in [["dump", folder("a.sqlite")], ["replay", input, "--to", folder("a.sqlite")]] {
            let result = try await trackctl(arguments)
            #expect(result.stderr.contains("another program's database, not an event log"))
            #expect(result.exitCode == 65)
        }
        #expect(folder.bytes("a.sqlite") == before)
    }

    @Test(
        "A log whose rows SQLite computes is rejected: a small one could produce any number of bytes",
        arguments: [
            """
            ALTER TABLE events RENAME TO stored;
            CREATE TABLE events (seq INTEGER PRIMARY KEY, id, name, time, purpose,
                line TEXT AS (CAST(zeroblob(100000000) AS TEXT)) VIRTUAL);
            INSERT INTO events (seq, id, name, time) SELECT seq, id, name, time FROM stored
            """,
            "CREATE VIEW numbers AS SELECT seq FROM events",
        ])
    func computedRows(change: String) async throws {
        let log = try await folder.log("a.sqlite", [TrackctlLine(1)])
        try folder.execute("a.sqlite", "\(change); PRAGMA wal_checkpoint(TRUNCATE)")
        for command in ["dump", "stats", "doctor"] {
            let result = try await trackctl([command, log])
            #expect(result.text.utf8.count < 10_000)
            #expect(result.exitCode != 0)
            #expect((result.text + result.stderr).contains("SQLite computes"), "\(command)")
        }
    }

    @Test("A value of over 16 MiB in a log is not read")
    func largeValue() async throws {
        let log = try await folder.log("a.sqlite", [TrackctlLine(1)])
        try folder.execute(
            "a.sqlite", "UPDATE events SET line = zeroblob(17000000); PRAGMA wal_checkpoint(TRUNCATE)")
        let result = try await trackctl(["dump", log])
        #expect(result.text.utf8.count < 10_000)
        #expect(result.exitCode == 65)
        #expect(result.stderr.contains("over 16 MiB"))
    }

    @Test("A log of a newer version is rejected and left unchanged")
    func newerVersion() async throws {
        let log = try await folder.log("a.sqlite", [TrackctlLine(1)])
        try folder.execute("a.sqlite", "PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = folder.bytes("a.sqlite")
        let input = try folder.file("a.jsonl", [TrackctlLine(2)].text)
        for arguments in [["dump", log], ["stats", log], ["replay", input, "--to", log]] {
            let result = try await trackctl(arguments)
            #expect(result.stderr.contains("written by a newer version (format 7, this one supports 6)"))
            #expect(result.exitCode == 65)
        }
        let isUnchanged = folder.bytes("a.sqlite") == before
        #expect(isUnchanged)
    }
}

@Suite("trackctl and recorded data")
struct TrackctlRealDataTests {
    @Test(
        "An hour of activity that is not a log is rejected, its first lines each with their location",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func activity() async throws {
        let input = SharedData.activity
        let result = try await trackctl(["dump", input])
        let issues = (1...10).map { line in
            "\(input):\(line):1: not a tracking container: 'id' is missing or of the wrong type"
        }
        let rest = ["… and 7,692 more like this", "trackctl: skipped 7,702 malformed lines"]
        #expect(result.stderr.split(separator: "\n").map(String.init) == issues + rest)
        #expect(result.exitCode == 65)
    }
}
