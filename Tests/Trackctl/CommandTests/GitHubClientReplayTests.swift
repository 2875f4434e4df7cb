import CommandRunner
import Foundation
import JSONLines
import Testing

/// `github-client --record` and `--replay`, in real processes.
@Suite("github-client --replay")
struct GitHubClientReplayTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var recording: String { folder.path("actions.jsonl") }

    private func record(_ arguments: [String] = []) async throws -> CommandResult {
        try await runCommand("github-client", ["--out", folder.path, "--record", recording] + arguments)
    }

    private func replay(_ path: String, _ arguments: [String] = []) async throws -> CommandResult {
        try await runCommand("github-client", ["--replay", path] + arguments)
    }

    /// The recording's entries, without its header and the mark at its end.
    private func entries() throws -> [String] {
        Array(try folder.read("actions.jsonl").textLines.dropFirst().dropLast())
    }

    @Test("recording changes nothing about a run, and its replay is equal in every process")
    func recordedRun() async throws {
        let plain = try TemporaryFolder()
        let quiet = try await runCommand("github-client", ["--out", plain.path])
        let recorded = try await record()
        #expect(recorded.exitCode == 0)
        #expect(recorded.text == quiet.text.replacing(plain.path, with: folder.path))
        #expect(recorded.stderr.isEmpty)
        #expect(try folder.read("events.jsonl") == plain.read("events.jsonl"))

        let first = try await replay(recording)
        #expect(first.exitCode == 0)
        #expect(first.stderr.isEmpty)
        #expect(first.lines.first == "\(recording): all \(try entries().count) entries are equal")
        #expect(first.lines.filter { $0.hasPrefix("environment ") }.count == 3)
        #expect(try await replay(recording).stdout == first.stdout)
    }

    @Test("the stores are those at the requested index")
    func until() async throws {
        _ = try await record()
        let entries = try entries()
        for index in [1, 20, 77, 150, entries.count] {
            let result = try await replay(recording, ["--until", String(index), "--json"])
            #expect(result.exitCode == 0)
            let json = try JSONParser.parse(result.stdout.dropLast())
            #expect(json["last_index"] == .integer(Int64(index)))
            #expect(json["verdict"] == "stopped")
            let parsed = try entries.prefix(index).map { try JSONParser.parse($0.utf8) }
            guard case .array(let environments)? = json["environments"] else {
                Issue.record("there are no environments")
                return
            }
            #expect(environments.isEmpty == (index == 1))
            for environment in environments {
                func last(_ domain: String) -> JSONValue? {
                    parsed.last { $0["domain"] == .string(domain) && $0["environment"] == environment["environment"] }?[
                        "payload"]
                }
                #expect(environment["stores"]?["tracking"]?["last"] == last("tracking"))
                #expect(environment["stores"]?["route"]?["command"] == last("route"))
                #expect(environment["stores"]?["device"] == last("device"))
            }
        }
    }

    @Test("as text, the stores are shown member by member")
    func text() async throws {
        _ = try await record()
        let index = try #require(try entries().firstIndex { $0.contains(#""domain":"route""#) }) + 1
        let result = try await replay(recording, ["--until", String(index)])
        let user = try #require(try JSONParser.parse(try entries()[0].utf8)["user"]?.stringValue)
        let launch = try #require(try entries().first { $0.contains(#""name":"launch""#) })
        let line = try #require(launch.range(of: #""payload":"#)).upperBound
        #expect(
            result.text == """
                \(recording): stopped after entry \(index); all up to it are equal

                environment 1, user \(user)
                  route
                    command  {"repositorySearch":{}}
                  tracking
                    last  \(launch[line...].dropLast())
                    counts  {"launch":1}
                  device
                    deviceID  "\(user)"
                  repository
                    repositories  []
                    pagination  {}
                    isFetching  false
                    found  []
                    notLoaded  []
                    clearCount  0

                """)
    }

    @Test("a recording that differs from what the app does ends with 1, and both lines are printed")
    func difference() async throws {
        _ = try await record()
        var text = String(decoding: try folder.read("actions.jsonl"), as: UTF8.self)
        let index = try #require(try entries().firstIndex { $0.contains(#""name":"page-view""#) }) + 1
        let line = try entries()[index - 1]
        let changed = line.replacing("repository-search", with: "repository-list")
        text = text.replacing(line, with: changed)
        let other = try folder.write(text, to: "other.jsonl")
        let result = try await replay(other)
        #expect(result.exitCode == 1)
        #expect(result.stderr == "github-client: the replay differs from \(other) at entry \(index)\n")
        #expect(
            result.lines.prefix(3) == [
                "\(other): entry \(index) differs: the app did something else", "  recorded  \(changed)",
                "  replayed  \(line)",
            ])
        let json = try JSONParser.parse(try await replay(other, ["--json"]).stdout.dropLast())
        #expect(json["verdict"] == "diverged")
        #expect(json["divergence"]?["index"] == .integer(Int64(index)))
        #expect(json["divergence"]?["recorded"] == (try JSONParser.parse(changed.utf8)))
        #expect(json["divergence"]?["replayed"] == (try JSONParser.parse(line.utf8)))
    }

    @Test("a recording whose writer was killed is played up to its last complete line", arguments: [1, 9, 20, 33])
    func killed(event: Int) async throws {
        #expect(try await record(["--crash-at-event", String(event)]).signal == SIGKILL)
        let result = try await replay(recording, ["--json"])
        #expect(result.exitCode == 0)
        let json = try JSONParser.parse(result.stdout.dropLast())
        #expect(json["verdict"] == "equal")
        #expect(json["ending"] == "cut-short")
        #expect(json["last_index"] == .integer(Int64(try entries().count + 1)))  // without an end mark
        let sent = String(decoding: try folder.read("actions.jsonl"), as: UTF8.self).split(separator: "\n")
            .filter { $0.contains(#""domain":"tracking""#) }
        #expect(sent.count == event)
    }

    @Test(
        "a full disk ends the recording at a complete line; the run is done, and ends with 74",
        .enabled(if: SmallDisk.isAvailable))
    func fullDisk() async throws {
        let disk = try await SmallDisk(kilobytes: 40)
        let path = disk.path + "/actions.jsonl"
        let result = try await runCommand("github-client", ["--out", folder.path, "--record", path])
        #expect(result.exitCode == 74)
        #expect(
            result.stderr
                == "github-client: \(path) is incomplete: No space left on device; free space and try again\n")
        #expect(result.text.contains("33 events, seq 1 to 33\n"))
        let replayed = try await replay(path)
        #expect(replayed.exitCode == 0)
        #expect(replayed.lines.first?.hasSuffix("entries are equal; the recording is truncated") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).last == UInt8(ascii: "\n"))
    }

    @Test(
        "a real hour is recorded up to the limit of the file, and replayed up to there",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func realHour() async throws {
        let hour = try await RealHour.played
        #expect(hour.result.exitCode == 0)
        #expect(
            hour.result.stderr
                == "github-client: \(hour.recordingPath) reached its size limit; the recording ends before the session\n"
        )
        #expect((16_000_000...(16 << 20)).contains(hour.recording.count))
        try hour.recording.write(to: URL(fileURLWithPath: recording))
        let replayed = try await replay(recording)
        #expect(replayed.exitCode == 0)
        #expect(
            replayed.lines.first
                == "\(recording): all \(try entries().count) entries are equal; the recording ends at its size limit")
    }

    @Test("an index past the end ends with 64 and shows the number of entries")
    func pastTheEnd() async throws {
        _ = try await record()
        let count = try entries().count
        let result = try await replay(recording, ["--until", String(count + 1)])
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(
            result.stderr == """
                github-client: no entry \(count + 1): \(recording) has \(count) entries; pass --until 1 to \(count)

                """)
    }

    @Test("files that cannot be played end with 65, 66 or 74")
    func faultyFiles() async throws {
        let text = try folder.write("x\n", to: "text")
        let newer = try folder.write("{\"recording\":\"swift-tracking\",\"version\":9}\n", to: "newer")
        for (path, code, words) in [
            (text, 65, "is not a recording"), (newer, 65, "has recording version 9"),
            (folder.path("nothing"), 66, "no file at"), (folder.path, 74, "cannot read"),
        ] as [(String, Int32, String)] {
            let result = try await replay(path)
            #expect(result.exitCode == code)
            #expect(result.stdout.isEmpty)
            #expect(result.stderr.contains(words), "\(result.stderr)")
        }
    }

    @Test("a file that is not a recording is not overwritten, and ends with 65")
    func otherFile() async throws {
        let path = try folder.write("mine\n", to: "mine.txt")
        let result = try await runCommand("github-client", ["--out", folder.path("run"), "--record", path])
        #expect(result.exitCode == 65)
        #expect(result.stderr == "github-client: \(path) exists and is not a recording; choose another path\n")
        #expect(try folder.read("mine.txt") == Data("mine\n".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("run")) == ["events.sqlite"])
    }

    @Test(
        "options that cannot be combined end with 64",
        arguments: [
            ["--until", "3", "--out", "x"], ["--json", "--out", "x"], ["--replay", "x", "--out", "y"],
            ["--replay", "x", "--record", "y"], ["--replay", "x", "--until", "0"], [],
        ])
    func usage(arguments: [String]) async throws {
        let result = try await runCommand("github-client", arguments)
        #expect(result.exitCode == 64)
        #expect(result.stderr.contains("Usage: github-client"))
    }
}
