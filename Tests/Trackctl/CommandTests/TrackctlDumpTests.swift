import CommandRunner
import EventLog
import Foundation
import Testing

@Suite("trackctl dump")
struct TrackctlDumpTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine(1), TrackctlLine(2, "page-view"), TrackctlLine(3, "search")]

    init() throws { folder = try TrackctlFolder() }

    private func dump(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["dump"] + arguments, stdin: stdin)
    }

    @Test("Plain lines, gzip, standard input and an event log give the same bytes")
    func inputs() async throws {
        let zipped = try await gzip(lines.text)
        let inputs = [
            try folder.file("a.jsonl", lines.text), try folder.file("a.jsonl.gz", zipped),
            try await folder.log("a.sqlite", lines),
        ]
        for input in inputs {
            let result = try await dump(input)
            #expect(result.text == lines.text)
            #expect(result.stderr.isEmpty)
            #expect(result.exitCode == 0)
        }
        #expect(try await dump("-", stdin: Array(lines.text.utf8)).text == lines.text)
        #expect(try await dump("-", stdin: zipped).text == lines.text)
    }

    @Test("The content decides, not the name")
    func content() async throws {
        let log = try await folder.log("log.jsonl", lines)
        let text = try folder.file("lines.gz", lines.text)
        let zipped = try folder.file("lines.txt", try await gzip(lines.text))
        #expect(try await dump(log, text, zipped).text == lines.text + lines.text + lines.text)
    }

    @Test("Concatenated gzip files are read as one")
    func members() async throws {
        let file = try folder.file("a.jsonl.gz", try await gzip(lines.text) + gzip(lines.text) + [0, 0, 0])
        let result = try await dump(file)
        #expect(result.text == lines.text + lines.text)
        #expect(result.exitCode == 0)
    }

    @Test("White space and the order of members are unchanged")
    func bytes() async throws {
        let line = """
             { "event" : {"name":"l\\u0061unch","value":{"é":1.50}}, "time":1536753247, "seq":1 , "install_id":"A",\
            "id":"01890000-0000-7000-8000-00000000000A"}\t\r\n
            """
        let result = try await dump(try folder.file("a.jsonl", line), "--event", "launch")
        #expect(result.text == line)
        #expect(result.exitCode == 0)
    }

    @Test("An empty file holds no events")
    func emptyFile() async throws {
        let result = try await dump(try folder.file("a.jsonl", ""))
        #expect(result.text.isEmpty && result.stderr.isEmpty && result.exitCode == 0)
    }

    @Test(
        "Filters select events",
        arguments: [
            (["--event", "search"], [3]),
            (["--event", "search", "--event", "launch"], [1, 3]),
            (["--event", "none"], []),
            (["--limit", "2"], [1, 2]),
            (["--limit", "1", "--event", "page-view"], [2]),
            (["--since", "2018-09-12T11:54:07.000002Z"], [2, 3]),
            (["--until", "2018-09-12T11:54:07.000002Z"], [1]),
            (["--since", "1536753247.000002", "--until", "1536753247.000003"], [2]),
            (["--since", "2018-09-12T13:54:07.000003+02:00"], [3]),
            (["--since=-1", "--until", "2018-09-12t11:54:07z"], []),
        ] as [([String], [Int64])])
    func filters(options: [String], expected: [Int64]) async throws {
        let wanted = lines.filter { expected.contains($0.seq) }.text
        for input in [try folder.file("a.jsonl", lines.text), try await folder.log("a.sqlite", lines)] {
            let result = try await trackctl(["dump", input] + options)
            #expect(result.text == wanted)
            #expect(result.exitCode == 0)
        }
    }

    @Test("Many events are complete and in order, from lines and from a log")
    func manyEvents() async throws {
        let many = [TrackctlLine].launches(1...5000)
        for input in [try folder.file("a.jsonl", many.text), try await folder.log("a.sqlite", many)] {
            #expect(try await dump(input).text == many.text)
            #expect(try await dump(input, "--limit", "3000").text == Array(many[..<3000]).text)
            #expect(try await dump(input, "--reverse").text == Array(many.reversed()).text)
        }
    }

    @Test("A log that another process is writing is read up to its last commit", .builtProgram)
    func openLog() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(lines, to: store)
        try await store.commit()
        #expect(try await dump(folder("a.sqlite")).text == lines.text)

        let more = TrackctlLine(4)
        folder.append([more], to: store)
        try await store.commit()
        #expect(try await dump(folder("a.sqlite")).text == (lines + [more]).text)
        try await store.close()
    }

    @Test("A reader that closes the pipe ends dump without a message")
    func closedPipe() async throws {
        let file = try folder.file("a.jsonl", [TrackctlLine].launches(1...5000).text)
        let command = try CommandLocation.path(of: "trackctl")
        let result = try await runProgram(
            "/bin/sh", ["-c", #"trap "" PIPE; "$0" dump "$1" | head -n 1"#, command, file])
        #expect(result.text == "\(TrackctlLine(1).text)\n")
        #expect(result.stderr.isEmpty)
    }

    @Test(
        "A full standard output is an error",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full, which Linux has"))
    func fullOutput() async throws {
        let command = try CommandLocation.path(of: "trackctl")
        // One fits into a block, the other is written while it is read.
        for input in [
            try folder.file("a.jsonl", lines.text), try await folder.log("a.sqlite", .launches(1...5000)),
        ] {
            let result = try await runProgram("/bin/sh", ["-c", #""$0" dump "$1" > /dev/full"#, command, input])
            #expect(result.exitCode == 74)
            #expect(
                result.stderr
                    == "trackctl: cannot write standard output: no space left on the disk; free some and try again\n")
        }
    }
}
