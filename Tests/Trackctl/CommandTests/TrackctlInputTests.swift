import CommandRunner
import EventLog
import Foundation
import Testing

@Suite("trackctl and its inputs")
struct TrackctlInputTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...6)

    init() throws { folder = try TrackctlFolder() }

    private func dump(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["dump"] + arguments, stdin: stdin)
    }

    private func make(_ names: [String]) async throws {
        for (name, line) in zip(names, lines) {
            let path = URL(fileURLWithPath: folder("logs/\(name)"))
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            let bytes = name.hasSuffix(".gz") ? try await gzip([line].text) : Array([line].text.utf8)
            try Data(bytes).write(to: path)
        }
    }

    @Test(
        "The files of a folder are read in the order of their rotation",
        arguments: [
            ["events-0000000000000001.jsonl.gz", "events-0000000000000900.jsonl", "events.jsonl"],
            ["app.jsonl.10.gz", "app.jsonl.2.gz", "app.jsonl.1", "app.jsonl"],
            ["app.jsonl-20180911", "app.jsonl-20180912.gz", "app.jsonl"],
            ["a.jsonl.2018-09-11", "a.jsonl", "b.ndjson.1", "b.ndjson"],
            ["dt=2018-09-11/hour=23/part.jsonl", "dt=2018-09-12/hour=00/part.jsonl", "x.jsonl"],
        ])
    func rotation(names: [String]) async throws {
        try await make(names)
        for name in [".hidden.jsonl", "notes.txt", "events.jsonl.damaged-1", "events.jsonl.partial"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder("logs/\(name)")))
        }
        let result = try await dump(folder("logs"))
        #expect(result.text == Array(lines[..<names.count]).text)
        #expect(result.stderr.isEmpty && result.exitCode == 0)
    }

    @Test("Progress on a terminal does not change what a pipe gets")
    func progressOfPipe() async throws {
        let many = [TrackctlLine].launches(1...2000)
        let file = try folder.file("a.jsonl", many.text)
        let trackctl = try CommandLocation.path(of: "trackctl")
        // script(1) makes a terminal; standard output goes to a file.
        let script = "cat '\(file)' | '\(trackctl)' dump /dev/stdin --strict >'\(folder("out"))'"
        let result = try await runProgram("/usr/bin/script", ["-qec", script, "/dev/null"])
        #expect(result.exitCode == 0)
        #expect(folder.bytes("out") == Array(many.text.utf8))
    }

    @Test("A compressed file whose original is still there is read once")
    func twins() async throws {
        try await make(["a.jsonl.1", "a.jsonl"])
        try Data(try await gzip([lines[0]].text)).write(to: URL(fileURLWithPath: folder("logs/a.jsonl.1.gz")))
        #expect(try await dump(folder("logs")).text == Array(lines[..<2]).text)
    }

    @Test("A pattern selects the files it matches, in the same order; one without a match is no input")
    func pattern() async throws {
        try await make(["a.jsonl.2", "a.jsonl.1", "a.jsonl"])
        #expect(try await dump(folder("logs/a.*")).text == Array(lines[..<3]).text)
        let none = try await dump(folder("logs/b.*"))
        #expect(none.exitCode == 66)
        #expect(none.stderr == "trackctl: no file matches \(folder("logs/b.*")): check the pattern\n")
    }

    @Test("A file whose name contains pattern characters is found by its name")
    func literal() async throws {
        #expect(try await dump(try folder.file("a[1]*.jsonl", lines.text)).text == lines.text)
    }

    @Test("A folder with only a database means the database; with lines, too, you must choose")
    func databases() async throws {
        _ = try await folder.log("a.sqlite", lines)
        #expect(try await dump(folder.path).text == lines.text)
        _ = try folder.file("a.jsonl", lines.text)
        let result = try await dump(folder.path)
        #expect(result.exitCode == 64 && result.stdout.isEmpty)
        #expect(
            result.stderr.contains("may hold the same events: pass \(folder("a.sqlite")), or the files with a pattern"))
    }

    @Test(
        "The folder of a tracker means its database, which has the events of the lines next to it",
        arguments: [
            ["events.jsonl"], ["events-0000000000000001.jsonl", "events-0000000000000003.jsonl.gz", "events.jsonl"],
            ["tracking.json", "clicks.jsonl"],
        ])
    func trackerFolder(others: [String]) async throws {
        let log = try await folder.log("events.sqlite", lines)
        for name in others { _ = try folder.file(name, name.hasSuffix(".json") ? "{}" : Array(lines[..<2]).text) }
        let result = try await dump(folder.path)
        #expect(result.text == lines.text && result.exitCode == 0)
        let notice = "trackctl: reading \(log), not the delivered copies next to it ('\(folder.path)/*.jsonl')\n"
        #expect(result.stderr == notice)
        for command in ["stats", "tail"] {
            let result = try await trackctl([command, folder.path])
            #expect(result.exitCode == 0 && result.stderr == notice, "\(command)")
        }
    }

    @Test(
        "A folder with a database and lines that no tracker has written is ambiguous",
        arguments: [
            ["events.sqlite", "other.jsonl"], ["events.sqlite", "z.sqlite", "events.jsonl"],
            ["events.sqlite", "below/events.jsonl"], ["a.sqlite", "events.jsonl", "tracking.json"],
        ])
    func otherFolder(names: [String]) async throws {
        try FileManager.default.createDirectory(atPath: folder("below"), withIntermediateDirectories: false)
        for name in names where name.hasSuffix(".sqlite") { _ = try await folder.log(name, lines) }
        for name in names where !name.hasSuffix(".sqlite") { _ = try folder.file(name, lines.text) }
        let result = try await dump(folder.path)
        #expect(result.exitCode == 64 && result.stdout.isEmpty)
        #expect(result.stderr.contains("may hold the same events: pass \(folder(names[0]))"))
    }

    @Test(
        "Files compressed with zstd are read, concatenated ones too; a truncated or damaged one gives its lines and an error"
    )
    func zstd() async throws {
        let many = [TrackctlLine].launches(1...3000)
        let bytes = try await zstdPacked(many.text)
        #expect(try await dump(try folder.file("a.jsonl.zst", bytes)).text == many.text)
        #expect(try await dump(try folder.file("b.txt", bytes + bytes)).text == many.text + many.text)
        let broken = try await dump(try folder.file("c.zst", bytes.dropLast(20)))
        #expect(broken.exitCode == 65 && many.text.hasPrefix(broken.text))
        #expect(broken.stderr.contains("c.zst ends too early"))
        var damaged = Array(bytes)
        damaged[bytes.count - 2] ^= 1
        let wrong = try await dump(try folder.file("d.zst", damaged))
        #expect(wrong.exitCode == 65 && wrong.stderr.contains("is damaged"))
    }

    @Test(
        "Events in the journal of a log that is open for writing are read, and selected like the others",
        .builtProgram)
    func journal() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append([TrackctlLine(1), TrackctlLine(2, "search")], to: store)
        #expect(try await dump(folder("a.sqlite"), "--event", "se*").text == [TrackctlLine(2, "search")].text)
        #expect(
            try await dump(folder("a.sqlite"), "--after-cursor", "install-a=1").text == [TrackctlLine(2, "search")].text
        )
        try await store.close()
    }

    @Test("Lines from a pipe are written before the pipe ends")
    func live() async throws {
        let command = try CommandLocation.path(of: "trackctl")
        // The second line is only written when the first has come out.
        let script = """
            mkfifo "$1/in" "$1/out"
            "$0" dump - <"$1/in" >"$1/out" &
            exec 3>"$1/in" 4<"$1/out"
            printf '%s\\n' "$2" >&3; read -r first <&4
            printf '%s\\n' "$3" >&3; read -r second <&4
            printf '%s\\n%s\\n' "$first" "$second"
            """
        let result = try await runProgram(
            "/bin/bash", ["-c", script, command, folder.path, lines[0].text, lines[1].text])
        #expect(result.text == Array(lines[..<2]).text)
    }
}
