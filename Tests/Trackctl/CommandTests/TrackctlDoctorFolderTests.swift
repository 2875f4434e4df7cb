import CommandRunner
import Foundation
import Testing

/// The findings of `trackctl doctor` for a whole folder: many installs, unreadable files, names.
@Suite("trackctl doctor over a folder")
struct TrackctlDoctorFolderTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    private func findings(_ path: String) async throws -> [DoctorFinding] {
        try DoctorFinding.all(try await trackctl(["doctor", path, "--json"]).lines.first)
    }

    /// Runs trackctl in the folder.
    private func runHere(_ arguments: String...) async throws -> CommandResult {
        try await runProgram(
            "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, folder.path, CommandLocation.path(of: "trackctl")] + arguments)
    }

    @Test("Of many installs, the sound ones get one finding, and the others one each")
    func installs() async throws {
        let sound = (1...50).flatMap { [TrackctlLine].launches(1...2, install: "sound-\($0)") }
        let gap = [TrackctlLine(1, install: "gap"), TrackctlLine(4, install: "gap")]
        let path = try folder.file("b.jsonl", (sound + gap).text)
        let found = try await findings(path).filter { $0.check.hasPrefix("file-n") || $0.check == "file-clock" }
        #expect(
            found.map(\.description) == [
                "ok file-numbers b.jsonl: 50 installs without errors",
                "warning file-numbers b.jsonl: install gap: 2 numbers missing: 2-3",
                "ok file-clock b.jsonl: 51 installs without errors",
            ])
        #expect(found[0].numbers == ["installs": 50])
    }

    @Test("Of many installs with errors, the worst twenty are reported, and the others counted")
    func faultyInstalls() async throws {
        let gaps = (100...139).flatMap { number in
            [1, 3].map { TrackctlLine($0, install: "gap-\(number)") }
        }
        let repeats = (100...102).flatMap { number in
            [1, 1].map { TrackctlLine($0, install: "twice-\(number)") }
        }
        let path = try folder.file("b.jsonl", (gaps + repeats).text)
        let found = try await findings(path).bad("file-numbers")
        #expect(found.count == 21)
        #expect(found[2].message == "install twice-102: 1 number repeated or out of order, first 1")
        #expect(found[3].message == "install gap-100: 1 number missing: 2")
        #expect(found[20].severity == "warning" && found[20].message == "similar findings for 23 installs more")
        #expect(found[20].numbers == ["installs": 23])
    }

    @Test("Installs beyond the limit are reported, and use no memory")
    func tooManyInstalls() async throws {
        let lines = (1...10_050).map { TrackctlLine(1, install: "install-\($0)") }
        let path = try folder.file("b.jsonl", lines.text)
        let found = try await findings(path).filter { $0.check == "file-numbers" }
        #expect(
            found.map(\.description) == [
                "ok file-numbers b.jsonl: 10,000 installs without errors",
                "note file-numbers b.jsonl: 50 events of further installs not checked; the limit is 10,000 installs",
            ])
    }

    @Test("An unreadable file does not hide findings of the others")
    func unreadableFile() async throws {
        _ = try folder.file("b.jsonl", [TrackctlLine].launches(1...3).text)
        _ = try await folder.deliveredLog()
        let unreadable = try folder.unreadableFile("x.jsonl")
        let found = try await findings(folder.path)
        #expect(found.bad("file-lines").map(\.location) == ["x.jsonl"])
        #expect(found.bad("file-lines").first?.severity == "error")
        #expect(found.bad("file-lines").first?.message.hasPrefix("not examined: ") == true)
        #expect(found.contains { $0.check == "file-lines" && $0.location == "b.jsonl" && $0.severity == "ok" })
        #expect(found.contains { $0.check == "free-space" })
        #expect(try await trackctl(["doctor", unreadable]).exitCode == 74)
    }

    @Test("A database of a newer version does not hide findings of the others")
    func newerDatabase() async throws {
        _ = try await folder.deliveredLog()
        _ = try await folder.deliveredLog("b.sqlite")
        try folder.execute("b.sqlite", "PRAGMA user_version = 99")
        let found = try await findings(folder.path)
        #expect(found.bad("database-header").map(\.location) == ["b.sqlite"])
        #expect(found.bad("database-header").first?.message.contains("written by a newer version") == true)
        #expect(found.contains { $0.check == "numbers" && $0.location == "a.sqlite" && $0.severity == "ok" })
        #expect(try await trackctl(["doctor", folder("b.sqlite")]).exitCode == 65)
    }

    @Test(
        "A database given without a folder is found once, with or without journals",
        arguments: ["a.sqlite", "./a.sqlite"])
    func bareName(path: String) async throws {
        try await folder.killedLog("a.sqlite", stored: .launches(1...3), waiting: .launches(4...9))
        let result = try await runHere("doctor", path, "--json")
        let found = try DoctorFinding.all(result.lines.first)
        #expect(found.filter { $0.check == "database-header" }.count == 1)
        #expect(found.bad("journal").count == 1)
        let plan = try await runHere("prune", path, "--keep-events", "1", "--dry-run")
        #expect(plan.lines.filter { $0.contains("would remove") }.count == 1, "\(plan.text)")
    }

    @Test("Files compressed with zstd, named .ndjson or rotated by date belong to their series")
    func otherNames() async throws {
        let lines = [TrackctlLine].launches(1...6)
        _ = try folder.file("b.jsonl-20180911", lines[..<2].map { "\($0.text)\n" }.joined())
        let packed = try await zstdPacked(lines[2..<4].map { "\($0.text)\n" }.joined())
        _ = try folder.file("b.jsonl.2018-09-12.zst", packed)
        _ = try folder.file("b.ndjson", lines[4...].map { "\($0.text)\n" }.joined())
        let found = try await findings(folder.path)
        #expect(
            found.filter { $0.check == "file-lines" }.map(\.location)
                == ["b.jsonl-20180911", "b.jsonl.2018-09-12.zst", "b.ndjson"])
        #expect(found.first { $0.check == "file-numbers" }?.message == "6 events, 1 to 6")
    }
}
