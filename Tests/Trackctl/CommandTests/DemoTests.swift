import CommandRunner
import Foundation
import JSONLines
import LogFiles
import Testing

/// The demo on real input: the whole pipeline in real processes.
@Suite("The demo on the real hour", .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
struct DemoTests {
    /// The result of an undisturbed run.
    private struct CalmRun {
        let result: CommandResult
        let lines: Data

        init(_ arguments: [String]) async throws {
            let folder = try TemporaryFolder()
            result = try await runCommand("github-client", arguments + ["--out", folder.path])
            lines = try folder.read("events.jsonl")
        }
    }

    /// The first records of the hour, for tests that play many times, and the result of a run.
    private struct Beginning {
        private static let made = Task { try await Beginning() }

        /// Shared by all tests, because a run takes a second.
        static var shared: Beginning {
            get async throws { try await made.value }
        }

        private let folder: TemporaryFolder
        let arguments: [String]
        let calm: CalmRun

        private init() async throws {
            folder = try TemporaryFolder()
            let reader = try LogFileReader(path: SharedData.activity)
            var text = Data()
            for _ in 0..<600 {
                guard case .complete(let line)? = try reader.next()?.line else { break }
                text += line + [UInt8(ascii: "\n")]
            }
            try text.write(to: URL(fileURLWithPath: folder.path("beginning.jsonl")))
            arguments = ["--activity", folder.path("beginning.jsonl"), "--repositories", SharedData.repositories]
            calm = try await CalmRun(arguments)
        }

        func play(into folder: String, _ extra: [String] = []) async throws -> CommandResult {
            try await runCommand("github-client", arguments + ["--out", folder] + extra)
        }
    }

    @Test("gives the same bytes in two runs, and in dump, flushed file and dump after a replay")
    func sameBytes() async throws {
        let (first, second) = (try TemporaryFolder(), try await RealHour.played)
        let result = try await RealHour.play(into: first.path)
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.text.hasPrefix("7702 records of 3648 users"))
        #expect(second.result.exitCode == 0)
        let lines = try first.read("events.jsonl")
        #expect(lines.count > 1_000_000)
        #expect(second.lines == lines)
        // Another SDK version, or another thing that the app tracks, gives other bytes; nothing else may.
        let checksum = try await runProgram("/usr/bin/cksum", [], stdin: Array(lines)).text
        #expect(checksum == "1654772904 8066506\n")

        let dump = try await runCommand("trackctl", ["dump", first.path("events.sqlite")])
        #expect(dump.exitCode == 0)
        #expect(Data(dump.stdout) == lines)
        let copy = first.path("copy.sqlite")
        #expect(try await runCommand("trackctl", ["replay", first.path("events.jsonl"), "--to", copy]).exitCode == 0)
        #expect(Data(try await runCommand("trackctl", ["dump", copy]).stdout) == lines)

        let stats = try await runCommand("trackctl", ["stats", first.path("events.sqlite"), "--json"])
        let count = lines.lineFeedCount
        #expect(stats.text.contains(#""total":\#(count),"#))
        #expect(stats.text.contains(#""first_seq":1,"gaps":[],"#))
        #expect(stats.text.contains(#""last_seq":\#(count),"missing":0}],"#))
        #expect(stats.text.contains(#""doubled":0,"#))
        #expect(stats.text.contains(#""drops":[],"#))
    }

    @Test("gives the same events for an hour from GH Archive, with numbers for actors and no page addresses")
    func archivedHour() async throws {
        let folder = try TemporaryFolder()
        let hour = try Self.archived(SharedData.activity)
        try hour.write(to: URL(fileURLWithPath: folder.path("hour.jsonl")))
        let result = try await runCommand(
            "github-client",
            [
                "--activity", folder.path("hour.jsonl"), "--repositories", SharedData.repositories, "--out",
                folder.path("out"),
            ])
        #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
        #expect(result.text.hasPrefix("7702 records of 3648 users"))

        // An event's user follows from the actor's id, which differs here; everything else is the same.
        try await RealHour.played.lines.write(to: URL(fileURLWithPath: folder.path("shared.jsonl")))
        let ids = ["id", "user_id", "session_id"].flatMap { ["--redact", $0] }
        let archived = Data(try await trackctl(["dump", folder.path("out/events.jsonl")] + ids).stdout)
        let shared = Data(try await trackctl(["dump", folder.path("shared.jsonl")] + ids).stdout)
        #expect(archived == shared && archived.count > 1_000_000)
    }

    /// The lines of an hour with a number instead of each actor's text, and without addresses of pages.
    private static func archived(_ path: String) throws -> Data {
        let reader = try LogFileReader(path: path)
        var numbers: [Substring: Int] = [:]
        var hour = Data()
        while case .complete(let line)? = try reader.next()?.line {
            let text = String(decoding: line, as: UTF8.self)
            let record = try #require(
                text.wholeMatch(
                    of:
                        /(.*?"actor":\{"id":)"([0-9a-f]+)"(\},"repo":\{"id":[0-9]+,"name":"[^"]+"),"html_url":"[^"]+"(\}.*)/
                ))
            let number = numbers[record.2] ?? numbers.count + 1
            numbers[record.2] = number
            hour += Data("\(record.1)\(number)\(record.3)\(record.4)\n".utf8)
        }
        return hour
    }

    @Test("killed ten times, once inside a flush, and restarted, gives the same result as without a kill")
    func killedAndStartedAgain() async throws {
        let (beginning, killed) = (try await Beginning.shared, try TemporaryFolder())
        let calm = beginning.calm
        #expect(calm.result.exitCode == 0)
        let total = calm.lines.lineFeedCount
        var random = SeededGenerator(seed: 20150101)
        let moments = (0..<9).map { part in
            Int.random(in: (part * total / 9 + 1)...((part + 1) * total / 9), using: &random)
        }
        for (index, moment) in moments.enumerated() {
            let result = try await beginning.play(into: killed.path, ["--crash-at-event", String(moment)])
            #expect(result.signal == SIGKILL, "kill at event \(moment): \(result.stderr)")
            if index == 4 {
                #expect(try await beginning.play(into: killed.path, ["--crash-in-flush", "1"]).signal == SIGKILL)
            }
        }
        let last = try await beginning.play(into: killed.path)
        #expect(last.exitCode == 0, "\(last.stderr)")
        #expect(try killed.read("events.jsonl") == calm.lines)
        let dump = try await runCommand("trackctl", ["dump", killed.path("events.sqlite")])
        #expect(dump.stdout == Array(calm.lines))
        #expect(try FileManager.default.contentsOfDirectory(atPath: killed.path).allSatisfy { !$0.contains("damaged") })
    }

    @Test(
        "survives a full disk, and with free space the same command finishes",
        .enabled(if: SmallDisk.isAvailable))
    func fullDisk() async throws {
        let beginning = try await Beginning.shared
        let calm = beginning.calm
        #expect(calm.result.exitCode == 0)
        // Space for the journal, and for some of the events.
        let disk = try await SmallDisk(kilobytes: 4_400)
        let result = try await beginning.play(into: disk.path)
        #expect(result.exitCode == 74)
        #expect(result.stderr.contains("the disk is full; free space"), "\(result.stderr)")
        let stored = try await runCommand("trackctl", ["dump", disk.path + "/events.sqlite"]).stdout
        #expect(!stored.isEmpty)
        #expect(calm.lines.starts(with: stored))

        try await disk.resize(kilobytes: 60_000)
        let again = try await beginning.play(into: disk.path)
        #expect(again.exitCode == 0, "\(again.stderr)")
        let lines = try Data(contentsOf: URL(fileURLWithPath: disk.path + "/events.jsonl"))
        #expect(lines == calm.lines)
    }

    @Test("plays truncated activity up to its end, reports it, and ends with 65")
    func truncatedActivity() async throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: SharedData.activity))
        let cut = folder.path("cut.jsonl.gz")
        try whole.prefix(whole.count / 8).write(to: URL(fileURLWithPath: cut))
        let result = try await runCommand(
            "github-client",
            ["--activity", cut, "--repositories", SharedData.repositories, "--out", folder.path])
        #expect(result.exitCode == 65)
        #expect(result.stderr.hasPrefix("github-client: the compressed data of \(cut) ends too early: get"))
        let full = try await RealHour.played
        #expect(full.result.exitCode == 0)
        // Only the last second, whose records share its time, may differ from a complete run's beginning.
        let lines = try folder.read("events.jsonl")
        let common = lines.commonPrefixCount(full.lines)
        #expect(common > lines.count * 9 / 10)
    }
}
