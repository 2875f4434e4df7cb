import CommandRunner
import Foundation
import Testing

@Suite("trackctl and its configuration")
struct TrackctlConfigurationTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine(1), TrackctlLine(2, "search"), TrackctlLine(3, "search")]

    init() throws { folder = try TrackctlFolder() }

    private func run(
        _ arguments: [String], config: String? = nil, environment: [String: String] = [:]
    ) async throws -> CommandResult {
        var environment = environment
        if let config { environment["TRACKCTL_CONFIG"] = try folder.file("config", config) }
        let file = try folder.file("a.jsonl", lines.text)
        return try await trackctl(arguments.map { $0 == "FILE" ? file : $0 }, environment: environment)
    }

    @Test("Flags override the environment, the environment the file, a command's section the rest of it")
    func precedence() async throws {
        let config = "# comment\nlimit = 3\n\n[dump]\nlimit = 2\n[ stats ]\nformat=csv\n"
        let two = TrackctlLine(2, "search")
        #expect(try await run(["dump", "FILE"], config: config).lines.count == 2)
        #expect(try await run(["dump", "FILE", "--limit", "1"], config: config).lines == [lines[0].text])
        #expect(try await run(["dump", "FILE", "--limit=1"], config: config).lines == [lines[0].text])
        #expect(try await run(["dump", "FILE"], config: config, environment: ["TRACKCTL_LIMIT": "1"]).lines.count == 1)
        let both = ["TRACKCTL_LIMIT": "2", "TRACKCTL_DUMP_LIMIT": "1"]
        #expect(try await run(["dump", "FILE"], config: config, environment: both).lines.count == 1)
        #expect(try await run(["stats", "FILE"], config: config).text.hasPrefix("event,count,bytes,users\r\n"))
        #expect(try await run(["dump", "FILE", "-n", "2"], config: "last = 1").lines == [two.text, lines[2].text])
    }

    @Test("Options that may be repeated, flags, and values with an equals sign")
    func kinds() async throws {
        let config = "[dump]\nredact = user_id=drop\nredact = session_id=drop\nreverse = true\n"
        let result = try await run(["dump", "FILE", "--limit", "1"], config: config)
        #expect(!result.text.contains("user_id") && !result.text.contains("session_id"))
        #expect(result.text.contains(#""seq":3"#))
        #expect(try await run(["dump", "FILE", "--limit", "1"], config: "reverse = no").text == [lines[0]].text)
        #expect(try await run(["dump", "FILE"], environment: ["TRACKCTL_EVENT": "launch"]).text == [lines[0]].text)
        #expect(try await run(["dump", "--", "FILE"], config: "limit = 1").text == [lines[0]].text)
        #expect(try await run(["dump", "FILE"], config: "# comment\r\nlimit = 1\r\n").text == [lines[0]].text)
    }

    @Test("It is found in the configuration folder")
    func location() async throws {
        try FileManager.default.createDirectory(atPath: folder("trackctl"), withIntermediateDirectories: false)
        _ = try folder.file("trackctl/config", "limit = 1\n")
        #expect(try await run(["dump", "FILE"], environment: ["XDG_CONFIG_HOME": folder.path]).lines.count == 1)
        // An empty value counts as unset.
        try FileManager.default.createDirectory(atPath: folder(".config/trackctl"), withIntermediateDirectories: true)
        _ = try folder.file(".config/trackctl/config", "limit = 2\n")
        let home = ["XDG_CONFIG_HOME": "", "HOME": folder.path]
        #expect(try await run(["dump", "FILE"], environment: home).lines.count == 2)
    }

    @Test(
        "An error in it is reported with its location",
        arguments: [
            ("limt = 1", "config:1: unknown option 'limt' for every command\n"),
            ("\n[dump]\nby = hour", "config:3: unknown option 'by' for trackctl dump\n"),
            ("[dmp]\nlimit = 1", "config:2: unknown command 'dmp'\n"),
            ("limit", "config:1: expected 'option = value', [command] or # comment\n"),
            ("[dump", "config:1: expected ']' after the command's name\n"),
            ("reverse = maybe", "config:1: --reverse is a flag: write true or false\n"),
        ])
    func issues(config: String, message: String) async throws {
        let result = try await run(["dump", "FILE"], config: config)
        #expect(result.exitCode == 64 && result.stdout.isEmpty)
        #expect(result.stderr.hasPrefix("trackctl: ") && result.stderr.hasSuffix(message))
    }

    @Test("A file that is given and missing is no input")
    func missing() async throws {
        let result = try await run(["dump", "FILE"], environment: ["TRACKCTL_CONFIG": folder("none")])
        #expect(result.exitCode == 66 && result.stderr.contains("check the path in TRACKCTL_CONFIG"))
    }

    @Test(
        "A signal ends a command cleanly, with a message where it stopped and how to continue", .timeLimit(.minutes(5)))
    func interrupted() async throws {
        let pipe = folder("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let command = try RunningProgram(command: "trackctl", ["dump", pipe, "--show-cursor"])
        let writing = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
        try writing.write(contentsOf: Data(Array(lines[..<2]).text.utf8))
        #expect(await command.nextLine() == lines[0].text)
        #expect(await command.nextLine() == lines[1].text)
        command.send(SIGINT)
        let end = await command.end()
        #expect(end.exitCode == 130)
        #expect(
            end.stderr == """
                -- cursor: install-a=2
                trackctl: interrupted before the end of the input; to continue, pass --after-cursor 'install-a=2'

                """)
        try writing.close()
    }

    @Test("A signal before the first output leaves the cursor unchanged", .timeLimit(.minutes(5)))
    func interruptedBefore() async throws {
        let pipe = folder("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let cursor = try folder.file("cursor", "install-a=1\n")
        let command = try RunningProgram(
            command: "trackctl", ["dump", pipe, "--reverse", "--cursor-file", cursor, "--show-cursor"])
        let writing = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
        // More than a pipe holds: most of it has been read when this returns.
        try writing.write(contentsOf: Data([TrackctlLine].launches(1...4000).text.utf8))
        command.send(SIGINT)
        let end = await command.end()
        #expect(end.exitCode == 130 && end.stdout.isEmpty)
        #expect(end.stderr == "trackctl: interrupted before the end of the input: start again\n")
        #expect(folder.bytes("cursor") == Array("install-a=1\n".utf8))
        try writing.close()
    }
}
