import CommandRunner
import Foundation
import Testing

/// `github-client browse` apart from the firing rules: the terminal, the endings, the files.
@Suite("github-client browse", .ofScreens)
struct BrowseCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ arguments: [String] = []) throws -> TerminalProgram {
        try TerminalProgram(
            CommandLocation.path(of: "github-client"), ["browse", "--out", folder.path] + arguments, rows: 24,
            columns: 250)
    }

    private func isShown(_ text: String, on program: TerminalProgram) async throws {
        _ = try await program.screen.value("'\(text)'") { $0.description.contains(text) }
    }

    @Test("q leaves with 0")
    func leaving() async throws {
        let app = try await ScreenApp()
        try app.press(.tab, "q")
        try await app.ends(with: 0)
    }

    @Test("signals end it with 130, without losing events", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signals(signal: Int32) async throws {
        let app = try await ScreenApp()
        app.send(signal)
        try await app.ends(with: 130)
    }

    @Test("the terminal's settings are restored")
    func settings() async throws {
        let command = try CommandLocation.path(of: "github-client")
        let script =
            #""$0" browse --out "$1"; stty -a | tr ' ' '\n' | grep -E '^-?(icanon|echo|isig|opost);?$'; echo that is all"#
        let program = try TerminalProgram("/bin/sh", ["-c", script, command, folder.path], rows: 24, columns: 80)
        try await isShown("Type a search term", on: program)
        try program.type("\tq")
        try await isShown("that is all", on: program)
        #expect(
            program.screen.current.lines.filter { !$0.isEmpty }.sorted() == [
                "echo", "icanon", "isig", "opost", "that is all",
            ])
    }

    @Test("a smaller window gets a smaller screen")
    func resizing() async throws {
        let app = try await ScreenApp()
        try app.resize(rows: 8, columns: 30)
        try await app.shows("Enter search  Down list  Ctrl…")
        #expect(app.lines.last == "Enter search  Down list  Ctrl…")
        try await app.leave()
    }

    @Test("without a server the app searches its own list, and the next start is the same user")
    func ownList() async throws {
        var users: [Set<String>] = []
        for _ in 1...2 {
            let program = try start()
            try await isShown("Type a search term", on: program)
            try program.type("collections\r")
            try await isShown("> swift-collections", on: program)
            try program.type("q")
            #expect(try await program.exitCode() == 0)
            let lines = String(decoding: try folder.read("events.jsonl"), as: UTF8.self).split(separator: "\n")
            users.append(Set(lines.compactMap { $0.firstMatch(of: /"user_id":"([^"]*)"/).map { String($0.1) } }))
            #expect(lines.count == 4 * users.count)
        }
        #expect(users[0].count == 1)
        #expect(users[1] == users[0])
    }

    private static let question = "May this app record"

    @Test("--ask-consent asks once: events are delivered if the user agrees, and none if not", arguments: ["y", "n"])
    func consent(answer: String) async throws {
        for run in 1...2 {
            let program = try start(["--ask-consent"])
            if run == 1 {
                try await isShown(Self.question, on: program)
                try program.type("x" + answer)
            }
            try await isShown("Type a search term", on: program)
            #expect(!program.screen.current.description.contains(Self.question))
            try program.type("collections\r")
            try await isShown("> swift-collections", on: program)
            try program.type("q")
            #expect(try await program.exitCode() == 0)
            let lines = try? String(decoding: folder.read("events.jsonl"), as: UTF8.self).split(separator: "\n")
            #expect(lines?.count ?? 0 == (answer == "y" ? 4 * run : 0))
        }
    }

    @Test("a user who leaves without an answer is asked again")
    func noConsent() async throws {
        for _ in 1...2 {
            let program = try start(["--ask-consent"])
            try await isShown(Self.question, on: program)
            try program.type("q")
            #expect(try await program.exitCode() == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path("events.jsonl")))
        }
    }

    @Test("an unreachable server is shown on the screen")
    func noServer() async throws {
        // A server that was just closed.
        let address = try RepositoryServer().address
        let program = try start(["--api", address])
        try await isShown("Type a search term", on: program)
        try program.type("flux\r")
        try await isShown("Request failed: the server cannot be reached; press r to retry", on: program)
        try program.type("q")
        #expect(try await program.exitCode() == 0)
    }

    @Test("without a terminal it ends with 64, prints what to do, and writes nothing")
    func noTerminal() async throws {
        let result = try await runCommand("github-client", ["browse", "--out", folder.path("new")])
        #expect(result.exitCode == 64)
        #expect(
            result.stderr == """
                github-client: standard input and output must be a terminal; run this without a pipe, or \
                use `github-client --out DIR`, which needs no terminal

                """)
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    }

    @Test(
        "an invalid address, and two sources of repositories, end with 64", arguments: ["flux", "ftp://a", "http://"])
    func wrongOptions(address: String) async throws {
        let result = try await runCommand("github-client", ["browse", "--out", folder.path, "--api", address])
        #expect(result.exitCode == 64)
        #expect(result.stderr.contains("invalid address '\(address)' for --api"))
        let both = try await runCommand(
            "github-client", ["browse", "--out", folder.path, "--api", "http://a.io", "--repositories", "list.jsonl"])
        #expect(both.exitCode == 64)
        #expect(both.stderr.contains("leave out one"))
    }

    @Test("an identity that cannot be used ends with 65 and is not changed")
    func unusableIdentity() async throws {
        let (link, target) = (folder.path("identity.json"), folder.path("elsewhere"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let program = try start()
        #expect(try await program.exitCode() == 65)
        try await isShown("remove it to start as another user", on: program)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("a damaged identity is moved aside and reported at the end")
    func damagedIdentity() async throws {
        try folder.write("mine", to: "identity.json")
        let program = try start()
        try await isShown("Type a search term", on: program)
        try program.type("\tq")
        #expect(try await program.exitCode() == 0)
        try await isShown("identity.json was damaged", on: program)
        #expect(try folder.read("identity.json.damaged-1") == Data("mine".utf8))
    }
}
