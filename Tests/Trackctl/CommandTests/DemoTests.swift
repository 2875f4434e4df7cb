import CommandRunner
import Foundation
import Testing

/// The demo on real input: the whole pipeline in real processes.
@Suite("The demo on the real hour", .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
struct DemoTests {
    static func play(into folder: String, _ extra: [String] = []) async throws -> CommandResult {
        try await runCommand("github-client", ["--activity", SharedData.activity, "--out", folder] + extra)
    }

    @Test("two runs give the same bytes, and dump, flushed file and dump after replay are one")
    func sameBytes() async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let result = try await Self.play(into: first.path)
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.text.hasPrefix("7702 records of 3648 users"))
        #expect(try await Self.play(into: second.path).exitCode == 0)
        let lines = try first.read("events.jsonl")
        #expect(lines.count > 1_000_000)
        #expect(try second.read("events.jsonl") == lines)

        let dump = try await runCommand("trackctl", ["dump", first.path("events.sqlite")])
        #expect(dump.exitCode == 0)
        #expect(dump.stdout == Array(lines))
        let copy = first.path("copy.sqlite")
        #expect(try await runCommand("trackctl", ["replay", first.path("events.jsonl"), "--to", copy]).exitCode == 0)
        #expect(try await runCommand("trackctl", ["dump", copy]).stdout == Array(lines))

        let stats = try await runCommand("trackctl", ["stats", first.path("events.sqlite"), "--json"])
        let count = lines.count(where: { $0 == UInt8(ascii: "\n") })
        #expect(stats.text.contains(#""total":\#(count),"#))
        #expect(stats.text.contains(#""first_seq":1,"gaps":[],"#))
        #expect(stats.text.contains(#""last_seq":\#(count),"missing":0}],"#))
        #expect(stats.text.contains(#""doubled":0,"#))
        #expect(stats.text.contains(#""drops":[],"#))
    }

    @Test("killed ten times, once inside a flush, and started again, it ends up as if nothing had happened")
    func killedAndStartedAgain() async throws {
        let (calm, killed) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(try await Self.play(into: calm.path).exitCode == 0)
        let total = try calm.read("events.jsonl").count(where: { $0 == UInt8(ascii: "\n") })
        var random = SeededGenerator(seed: 20150101)
        let moments = (0..<9).map { part in
            Int.random(in: (part * total / 9 + 1)...((part + 1) * total / 9), using: &random)
        }
        for (index, moment) in moments.enumerated() {
            let result = try await Self.play(into: killed.path, ["--crash-at-event", String(moment)])
            #expect(result.signal == SIGKILL, "kill at event \(moment): \(result.stderr)")
            if index == 4 {
                #expect(try await Self.play(into: killed.path, ["--crash-in-flush", "1"]).signal == SIGKILL)
            }
        }
        let last = try await Self.play(into: killed.path)
        #expect(last.exitCode == 0, "\(last.stderr)")
        #expect(try killed.read("events.jsonl") == calm.read("events.jsonl"))
        let dump = try await runCommand("trackctl", ["dump", killed.path("events.sqlite")])
        #expect(try dump.stdout == Array(calm.read("events.jsonl")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: killed.path).allSatisfy { !$0.contains("damaged") })
    }

    @Test(
        "a full disk is survived, and once there is space the same command finishes",
        .enabled(if: SmallDisk.isAvailable))
    func fullDisk() async throws {
        let calm = try TemporaryFolder()
        #expect(try await Self.play(into: calm.path).exitCode == 0)
        let disk = try await SmallDisk(kilobytes: 6_000)
        let result = try await Self.play(into: disk.path)
        #expect(result.exitCode == 74)
        #expect(result.stderr.contains("no space is left"), "\(result.stderr)")
        let stored = try await runCommand("trackctl", ["dump", disk.path + "/events.sqlite"]).stdout
        #expect(!stored.isEmpty)
        #expect(try calm.read("events.jsonl").starts(with: stored))

        try await disk.resize(kilobytes: 60_000)
        let again = try await Self.play(into: disk.path)
        #expect(again.exitCode == 0, "\(again.stderr)")
        let lines = try Data(contentsOf: URL(fileURLWithPath: disk.path + "/events.jsonl"))
        #expect(try lines == calm.read("events.jsonl"))
    }

    @Test("activity that is cut short plays what is there, says so, and ends with 65")
    func truncatedActivity() async throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: SharedData.activity))
        let cut = folder.path("cut.jsonl.gz")
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: cut))
        let result = try await runCommand(
            "github-client",
            ["--activity", cut, "--repositories", SharedData.repositories, "--out", folder.path])
        #expect(result.exitCode == 65)
        #expect(result.stderr.hasPrefix("github-client: the compressed data of \(cut) breaks off before its end: get"))
        let full = try TemporaryFolder()
        #expect(try await Self.play(into: full.path).exitCode == 0)
        // Only the last second, whose records share its time, may differ from a complete run's beginning.
        let lines = try folder.read("events.jsonl")
        let common = try zip(lines, full.read("events.jsonl")).prefix { $0 == $1 }.count
        #expect(common > lines.count * 9 / 10)
    }
}
