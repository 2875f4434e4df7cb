import CommandRunner
import Foundation
import Testing

@Suite("A command that is interrupted by a signal while it writes files", .timeLimit(.minutes(5)))
struct TrackctlInterruptTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    /// A named pipe with these lines, which stays open: its reader waits for more.
    private func pipe(_ name: String, holding lines: [TrackctlLine]) throws -> FileHandle {
        try #require(mkfifo(folder(name), 0o600) == 0)
        let end = open(folder(name), O_RDWR | O_CLOEXEC)
        try #require(end >= 0)
        let handle = FileHandle(fileDescriptor: end, closeOnDealloc: true)
        try handle.write(contentsOf: Data(lines.text.utf8))
        return handle
    }

    private static let mapping = """
        {"install_id": "shop", "time": {"from": "time", "format": "s"}, "user_id": {"from": "user_id"}, \
        "event": {"from": "event.name"}, "events": {"launch": {"name": "launch"}}}
        """

    /// The arguments, and the file that exists as soon as the command is running.
    struct Case: CustomTestStringConvertible {
        let arguments: [String]
        let unfinished: String
        let advice: String

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let cases = [
        Case(
            arguments: ["merge", "in.jsonl", "--to", "out.jsonl"], unfinished: "out.jsonl.partial",
            advice: "out.jsonl was not written: run the same command again"),
        Case(
            arguments: ["report", "in.jsonl", "-o", "out.html"], unfinished: "out.html.partial",
            advice: "no page was written: run the same command again"),
        Case(
            arguments: ["dump", "in.jsonl", "--partition", "a=%Y/b=%m", "--into", "lake/deep"],
            unfinished: "lake/deep/a=2018/b=09/events.jsonl.partial",
            advice: "nothing was written: run the same command again"),
        Case(
            arguments: ["dump", "in.jsonl", "--partition", "%Y", "--into", "lake", "--gzip"],
            unfinished: "lake/2018/events.jsonl.gz.partial", advice: "nothing was written: run the same command again"),
        Case(
            arguments: ["import", "in.jsonl", "--mapping", "map.json", "--to", "out.jsonl"],
            unfinished: "out.jsonl.partial", advice: "out.jsonl was not written: run the same command again"),
        Case(
            arguments: ["replay", "in.jsonl", "--to", "out.jsonl.gz"], unfinished: "out.jsonl.gz.partial",
            advice: "out.jsonl.gz was not written: run the same command again"),
    ]

    /// Starts a command in the folder.
    private func start(_ arguments: [String]) throws -> RunningProgram {
        let script = #"cd "$1" && shift && exec "$@""#
        return try RunningProgram(
            "/bin/sh", ["-c", script, "sh", folder.path, CommandLocation.path(of: "trackctl")] + arguments)
    }

    @Test("leaves nothing of them after Ctrl-C, and says how to continue", arguments: cases)
    func interrupted(_ item: Case) async throws {
        _ = try folder.file("map.json", Self.mapping)
        let pipe = try pipe("in.jsonl", holding: .launches(1...20))
        defer { try? pipe.close() }  // the folder is removed with it
        let run = try start(item.arguments)
        let unfinished = folder(item.unfinished)
        #expect(await run.send(SIGINT) { FileManager.default.fileExists(atPath: unfinished) })
        let end = await run.end()
        #expect(end.exitCode == 130 && end.signal == nil)
        #expect(end.stderr.contains("interrupted by a signal"))
        #expect(end.stderr.hasSuffix("; \(item.advice)\n"), "\(end.stderr)")
        #expect(try folder.names() == ["in.jsonl", "map.json"])
    }

    @Test("leaves nothing of a file of generated events, either")
    func interruptedMaking() async throws {
        let run = try start(["generate", "--count", "1G", "--to", "out.jsonl"])
        let unfinished = folder("out.jsonl.partial")
        #expect(await run.send(SIGINT) { FileManager.default.fileExists(atPath: unfinished) })
        let end = await run.end()
        #expect(end.exitCode == 130 && end.signal == nil)
        #expect(end.stderr.hasSuffix("; out.jsonl was not written: run the same command again\n"), "\(end.stderr)")
        #expect(try folder.names().isEmpty)
    }

    @Test("leaves nothing if interrupted before the first byte of a pipe, either", arguments: [SIGINT, SIGTERM])
    func beforeFirstByte(signal: Int32) async throws {
        try #require(mkfifo(folder("in.jsonl"), 0o600) == 0)
        let run = try start(["replay", "in.jsonl", "--to", "out.jsonl"])
        // Returns as soon as the command reads the other end.
        let pipe = try #require(FileHandle(forWritingAtPath: folder("in.jsonl")))
        run.send(signal)
        let end = await run.end()
        try pipe.close()
        #expect(end.exitCode == 130 && end.signal == nil)
        #expect(end.stderr.hasPrefix("trackctl: interrupted by a signal\n"))
        #expect(end.stderr.hasSuffix("; out.jsonl was not written: run the same command again\n"))
        #expect(try folder.names() == ["in.jsonl"])
    }

    @Test("leaves the files of a kill to the next run, which overwrites them", arguments: cases)
    func killed(_ item: Case) async throws {
        _ = try folder.file("map.json", Self.mapping)
        let pipe = try pipe("in.jsonl", holding: .launches(1...20))
        let run = try start(item.arguments)
        let unfinished = folder(item.unfinished)
        #expect(await run.send(SIGKILL) { FileManager.default.fileExists(atPath: unfinished) })
        #expect(await run.end().signal == SIGKILL)
        try pipe.close()
        try FileManager.default.removeItem(atPath: folder("in.jsonl"))
        // Other folders than the first run's.
        _ = try folder.file("in.jsonl", [TrackctlLine].launches(1...20).text.replacing("153675324", with: "163675324"))
        let end = try await start(item.arguments).end()
        #expect(end.exitCode == 0, "\(end.stderr)")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(names.contains { $0.hasPrefix("out") || $0.contains("/events.jsonl") })
        #expect(!names.contains { $0.hasSuffix(".partial") }, "\(names)")
    }

    @Test("is not affected by another that wants to write the same file")
    func busy() async throws {
        let pipe = try pipe("in.jsonl", holding: .launches(1...20))
        defer { try? pipe.close() }  // the folder is removed with it
        let first = try start(["merge", "in.jsonl", "--to", "out.jsonl"])
        let unfinished = folder("out.jsonl.partial")
        // Signal 0 only tests whether the process exists.
        #expect(await first.send(0) { FileManager.default.fileExists(atPath: unfinished) })
        let input = try folder.file("b.jsonl", [TrackctlLine].launches(1...3).text)
        let second = try await runCommand("trackctl", ["merge", input, "--to", folder("out.jsonl")])
        #expect(second.exitCode == 75)
        #expect(
            second.stderr
                == "trackctl: another command is writing \(unfinished): wait until it ends, or choose another name\n"
        )
        #expect(try folder.names() == ["b.jsonl", "in.jsonl", "out.jsonl.partial"])
        first.send(SIGINT)
        #expect(await first.end().exitCode == 130)
        #expect(try folder.names() == ["b.jsonl", "in.jsonl"])
    }

    @Test("is not affected by another that wants to write files of the same names into its folder")
    func busyFolder() async throws {
        let pipe = try pipe("in.jsonl", holding: .launches(1...20))
        defer { try? pipe.close() }  // the folder is removed with it
        let first = try start(["dump", "in.jsonl", "--partition", "%d", "--into", "lake"])
        let unfinished = folder("lake/12/events.jsonl.partial")
        // Signal 0 only tests whether the process exists.
        #expect(await first.send(0) { FileManager.default.fileExists(atPath: unfinished) })
        let input = try folder.file("b.jsonl", [TrackctlLine].launches(1...3).text)
        let arguments = ["dump", input, "--partition", "%m", "--into", folder("lake")]
        let second = try await runCommand("trackctl", arguments)
        #expect(second.exitCode == 75 && second.stderr.contains("another command is writing"))
        #expect(try await runCommand("trackctl", arguments + ["--append-run", "b"]).exitCode == 0)
        #expect(folder.bytes("lake/09/events-b.jsonl") == folder.bytes("b.jsonl"))
        first.send(SIGINT)
        #expect(await first.end().exitCode == 130)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("lake")) == ["09"])
    }

    @Test("keeps every line that an erasure has not reached, and the next run completes it")
    func erasure() async throws {
        let lines = [TrackctlLine].alternating(1...20_000, "them", "me")
        let input = try folder.file(
            "a.jsonl",
            lines.map { line in
                var line = line
                line.microsecond = 1
                return line
            }.text)
        let before = folder.bytes("a.jsonl")
        let run = try start(["prune", input, "--user", "them"])
        let draft = folder("a.jsonl.erasing")
        #expect(await run.send(SIGINT) { FileManager.default.fileExists(atPath: draft) })
        let end = await run.end()
        #expect(end.exitCode == 130)
        #expect(end.stderr.hasSuffix("completed steps are kept; run the same command again for the rest\n"))
        #expect(try folder.names() == ["a.jsonl"])
        #expect(folder.bytes("a.jsonl") == before)
        #expect(try await runCommand("trackctl", ["prune", input, "--user", "them"]).exitCode == 0)
        #expect(try await runCommand("trackctl", ["dump", input]).lines.count == 10_000)
    }

    @Test("keeps the file of a replay with a state, which continues it and is not overwritten")
    func resumable() async throws {
        let input = try folder.file("a.jsonl", [TrackctlLine].launches(1...200).text)
        let arguments = ["replay", input, "--to", folder("b.jsonl"), "--rate", "100/s", "--resume", folder("state")]
        let run = try RunningProgram(command: "trackctl", arguments)
        let folder = folder
        #expect(await run.send(SIGINT) { folder.bytes("b.jsonl.resume.partial")?.isEmpty == false })
        let end = await run.end()
        #expect(end.exitCode == 130 && end.stderr.hasSuffix("run the same command again to continue\n"))
        #expect(try folder.names() == ["a.jsonl", "b.jsonl.resume.partial", "state"])
        let other = try await runCommand(
            "trackctl", ["replay", input, "--to", folder("b.jsonl"), "--resume", folder("other")])
        #expect(
            other.exitCode == 64
                && other.stderr.contains("b.jsonl.resume.partial exists: resume the interrupted replay"))
        #expect(try folder.names() == ["a.jsonl", "b.jsonl.resume.partial", "state"])
        #expect(try await runCommand("trackctl", arguments).exitCode == 0)
        #expect(folder.bytes("b.jsonl") == folder.bytes("a.jsonl"))
        #expect(try folder.names() == ["a.jsonl", "b.jsonl", "state"])
    }
}
