import CommandRunner
import EventLog
import Foundation
import Testing

/// `github-client` with invalid folders and input.
@Suite("github-client")
struct GitHubClientCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func play(_ arguments: [String] = []) async throws -> CommandResult {
        try await runCommand("github-client", ["--out", folder.path] + arguments)
    }

    @Test("without input it plays its built-in session")
    func sample() async throws {
        let result = try await play()
        #expect(result.exitCode == 0)
        #expect(result.text.contains("33 events, seq 1 to 33\n"))
        let summary = try #require(result.text.components(separatedBy: "33 events").first)
        let article = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Sources/Sample/GitHubClient/GitHubClient.docc/Demo.md").standardized
        #expect(try String(contentsOf: article, encoding: .utf8).contains(summary), "the article shows another run")
        #expect(result.stderr.isEmpty)
        #expect(try folder.read("events.jsonl").count(where: { $0 == UInt8(ascii: "\n") }) == 33)
    }

    @Test("a second run finds everything stored and changes nothing")
    func secondRun() async throws {
        #expect(try await play().exitCode == 0)
        let lines = try folder.read("events.jsonl")
        let again = try await play()
        #expect(again.exitCode == 0)
        #expect(again.text.contains("(33 were stored by an earlier run and are the same)"))
        #expect(try folder.read("events.jsonl") == lines)
    }

    @Test("a log that another process has open is rejected with 75")
    func logInUse() async throws {
        let log = try SQLiteEventStore(path: folder.path + "/events.sqlite", options: .init(installID: { "install" }))
        let result = try await play()
        #expect(
            result.stderr == """
                github-client: cannot open \(folder.path)/events.sqlite: process \
                \(ProcessInfo.processInfo.processIdentifier) has it open; stop it or use another file

                """)
        #expect(result.exitCode == 75)
        try await log.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["events.sqlite"])
    }

    @Test("after a SIGKILL every event that was sent is dumped, before the log is opened again")
    func dumpAfterKill() async throws {
        let whole = try TemporaryFolder()
        #expect(try await runCommand("github-client", ["--out", whole.path]).exitCode == 0)
        let lines = try whole.read("events.jsonl").split(separator: UInt8(ascii: "\n"))
        #expect(try await play(["--crash-at-event", "20"]).signal == SIGKILL)
        let dump = try await runCommand("trackctl", ["dump", folder.path + "/events.sqlite"])
        #expect(dump.stdout.split(separator: UInt8(ascii: "\n")).map(Array.init) == lines.prefix(20).map(Array.init))
    }

    @Test("a folder with another input's run is rejected with 65 and left unchanged")
    func otherInput() async throws {
        #expect(try await play().exitCode == 0)
        let lines = try folder.read("events.jsonl")
        let record =
            #"{"type":"PushEvent","actor":{"id":"x"},"repo":{"id":1,"name":"a/b","html_url":"https://github.com/a/b"},"created_at":"2018-10-01T09:00:00Z"}"#
        let other = try folder.write(record + "\n", to: "other.jsonl")
        let result = try await play(["--activity", other])
        #expect(result.exitCode == 65)
        #expect(result.stderr.contains("event 1 differs from the event stored in"))
        #expect(result.stderr.contains("pass another folder with --out"))
        #expect(try folder.read("events.jsonl") == lines)
    }

    @Test("of another input's run one message is given, however much of it arrives at the same time")
    func otherInputAtOnce() async throws {
        #expect(try await play().exitCode == 0)
        let records = (1...2_000).map { number in
            #"{"type":"PushEvent","actor":{"id":"x\#(number)"},"repo":{"id":1,"name":"a/b","html_url":"https://github.com/a/b"},"created_at":"2018-10-01T09:00:00Z"}"#
        }
        let other = try folder.write(records.map { "\($0)\n" }.joined(), to: "other.jsonl")
        let result = try await play(["--activity", other])
        #expect(
            result.stderr == """
                github-client: event 1 differs from the event stored in \(folder.path)/events.sqlite: the folder holds \
                a run with other input; pass another folder with --out, or remove this one; nothing was changed

                """)
        #expect(result.exitCode == 65)
    }

    @Test("names in records cannot control the terminal, and are exact elsewhere")
    func terminal() async throws {
        let record =
            #"{"type":"\u001b[2J\u009b\u202e","actor":{"id":1},"repo":{"id":1,"name":"a/b"},"created_at":"2018-10-01T09:00:00Z"}"#
        let file = try folder.write(record + "\n", to: "activity.jsonl")
        let result = try await play(["--activity", file])
        #expect(result.text.contains("\u{1B}[2J\u{9B}\u{202E}"))
        let arguments = ["--out", folder.path, "--activity", file]
        let shown = try await runOnTerminal("github-client", arguments)
        #expect(shown.exitCode == 0 && shown.text.contains(#"\u001b[2J\u009b\u202e"#))
        #expect(!shown.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
    }

    @Test("of many records malformed for the same reason three are reported, and the others are counted")
    func manyBrokenLines() async throws {
        let file = try folder.write((1...7_429).map { "{\"type\":\($0)}\n" }.joined(), to: "activity.jsonl")
        let result = try await play(["--activity", file])
        let reason = "not an activity record: 'type' is missing or of the wrong type"
        #expect(
            result.stderr == """
                \(file):1:1: \(reason)
                \(file):2:1: \(reason)
                \(file):3:1: \(reason)
                … and 7,426 more like this
                github-client: 7,429 faulty lines were left out

                """)
        #expect(result.exitCode == 65)
    }

    @Test("a deleted JSON lines file is rewritten from the log")
    func deletedLines() async throws {
        #expect(try await play().exitCode == 0)
        let lines = try folder.read("events.jsonl")
        try FileManager.default.removeItem(atPath: folder.path("events.jsonl"))
        let again = try await play()
        #expect(again.exitCode == 0)
        #expect(again.stderr.contains("events.jsonl is missing; rewriting it from the log"))
        #expect(try folder.read("events.jsonl") == lines)
    }

    @Test("a JSON lines file that was changed is set aside and rewritten")
    func changedLines() async throws {
        #expect(try await play().exitCode == 0)
        let lines = try folder.read("events.jsonl")
        try folder.write("mine\n", to: "events.jsonl")
        #expect(try await play().exitCode == 0)
        #expect(try folder.read("events.jsonl") == lines)
        #expect(try folder.read("events.jsonl.damaged-1") == Data("mine\n".utf8))
    }

    @Test("malformed lines are reported with line and column, all others are played, and it ends with 65")
    func brokenLines() async throws {
        let good =
            #"{"type":"WatchEvent","actor":{"id":"x"},"repo":{"id":1,"name":"a/b","html_url":"https://github.com/a/b"},"created_at":"2018-10-01T09:00:00Z"}"#
        let file = try folder.write(
            good + "\n{\"type\":tru}\n[]\n" + good.replacing("\"actor\"", with: "\"author\"") + "\n" + good + "\n"
                + good.dropLast(), to: "activity.jsonl")
        let result = try await play(["--activity", file])
        #expect(result.exitCode == 65)
        #expect(
            result.stderr == """
                \(file):2:9: expected true
                \(file):3:1: not an activity record: 'type' is missing or of the wrong type
                \(file):4:1: not an activity record: 'actor.id' is missing or of the wrong type
                \(file):6:1: torn write: the last line has no line feed
                github-client: 4 faulty lines were left out

                """)
        #expect(result.text.hasPrefix("2 records of 1 users"))
    }

    @Test("a missing input ends with 66")
    func missingInput() async throws {
        let result = try await play(["--activity", folder.path("nothing.jsonl")])
        #expect(result.exitCode == 66)
        #expect(
            result.stderr
                == "github-client: cannot open \(folder.path("nothing.jsonl")): no such file; check the path\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("events.sqlite")))
    }

    @Test("a file that is not a database ends with 65 and is left unchanged")
    func notADatabase() async throws {
        try folder.write(
            "this is not a database, and long enough to hold a header of one hundred bytes: \(String(repeating: "x", count: 99))",
            to: "events.sqlite")
        let before = try folder.read("events.sqlite")
        let result = try await play()
        #expect(result.exitCode == 65)
        #expect(
            result.stderr
                == "github-client: cannot open \(folder.path("events.sqlite")): not an SQLite database; choose another file or move it away\n"
        )
        #expect(try folder.read("events.sqlite") == before)
    }

    @Test("a folder that is not writable ends with 74", .enabled(if: getuid() == 0))
    func unwritableFolder() async throws {
        let shut = try TemporaryFolder(permissions: 0o755)
        let input = try TemporaryFolder(permissions: 0o755)
        let file = try input.write("", to: "activity.jsonl")
        let repositories = try input.write("", to: "repositories.jsonl")
        for out in [shut.path, shut.path("new")] {
            let result = try await runAsNobody(
                "github-client", ["--out", out, "--activity", file, "--repositories", repositories])
            #expect(result.exitCode == 74)
            #expect(result.stderr.contains("check that"), "\(result.stderr)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shut.path) == [])
    }
}
