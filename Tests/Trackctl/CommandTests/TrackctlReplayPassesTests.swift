import CommandRunner
import Foundation
import Testing

@Suite("trackctl replay in several passes whose inputs disappear", .timeLimit(.minutes(5)))
struct TrackctlReplayPassesTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    @Test("Without anything to read for another pass it ends as without an input")
    func allGone() async throws {
        let input = try folder.file("a.jsonl", [TrackctlLine].launches(1...5).text)
        let run = try RunningProgram(
            command: "trackctl",
            ["replay", input, "--to", folder("b.jsonl"), "--loop", "forever", "--new-ids", "--rate", "100/s"])
        let folder = folder
        // Signal 0 only tests whether the process exists.
        #expect(await run.send(0) { folder.bytes("b.jsonl.partial")?.isEmpty == false })
        try FileManager.default.removeItem(atPath: input)
        let end = await run.end()
        #expect(end.exitCode == 66)
        #expect(end.stderr.contains("trackctl: cannot start another pass: the inputs no longer exist; keep them"))
        #expect(end.stderr.hasSuffix("b.jsonl was not written: run the same command again\n"))
        #expect(try folder.names().isEmpty)
    }

    @Test("If one of several inputs disappears, the rest is replayed, and the exit code shows it")
    func oneGone() async throws {
        let pipe = folder("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let file = try folder.file("a.jsonl", [TrackctlLine].launches(4...6).text)
        let run = try RunningProgram(
            command: "trackctl", ["replay", pipe, file, "--to", "-", "--loop", "2", "--new-ids", "--rate", "100/s"])
        try write([TrackctlLine].launches(1...3).text, to: pipe)
        // The file's first line arrives after the pipe is closed and the second one was read.
        var count = 0
        while count < 4, await run.nextLine() != nil { count += 1 }
        let second = try #require(FileHandle(forWritingAtPath: pipe))
        try FileManager.default.removeItem(atPath: file)
        try second.write(contentsOf: Data([TrackctlLine].launches(1...3).text.utf8))
        try second.close()
        let end = await run.end()
        while await run.nextLine() != nil { count += 1 }
        #expect(count == 9)
        #expect(end.exitCode == 66)
        #expect(end.stderr.contains(file))
        #expect(end.stderr.contains("replayed 9 events"))
    }

    /// Writes to a pipe as soon as it has a reader.
    private func write(_ text: String, to pipe: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: pipe))
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test("Malformed lines that only later passes have give the same exit code as those of the first one")
    func laterIssues() async throws {
        let pipe = folder("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let file = try folder.file("a.jsonl", [TrackctlLine].launches(4...6).text)
        let run = try RunningProgram(
            command: "trackctl", ["replay", pipe, file, "--to", "-", "--loop", "2", "--new-ids", "--rate", "100/s"])
        try write([TrackctlLine].launches(1...3).text, to: pipe)
        var count = 0
        while count < 4, await run.nextLine() != nil { count += 1 }
        try write("null\n", to: pipe)
        let end = await run.end()
        while await run.nextLine() != nil { count += 1 }
        #expect(count == 9)
        #expect(end.exitCode == 65)
        #expect(end.stderr.hasSuffix("trackctl: skipped 1 malformed line in later passes\n"))
    }
}
