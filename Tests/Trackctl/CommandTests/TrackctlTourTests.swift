import CommandRunner
import Foundation
import Testing

/// Pages with terminal output match the actual output.
@Suite("trackctl and its output on the pages", .timeLimit(.minutes(5)))
struct TrackctlTourTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    @Test("Each command of the tour prints what the tour shows")
    func tour() async throws {
        let page = try String(
            contentsOfFile: "Sources/Trackctl/TrackctlCommands/Trackctl.docc/Tour.md", encoding: .utf8)
        let commands = ShownCommand.commands(in: page)
        #expect(commands.count > 20)
        _ = try await run("make demo OUT=demo >/dev/null")
        for command in commands {
            let printed = try await run(command.line)
            #expect(command.shows(printed), "\(command.line)\n\(printed)")
        }
    }

    @Test("An ellipsis matches anything, all else only itself")
    func ellipses() {
        let command = ShownCommand(line: "", output: ["one … three", "…", "end"])
        #expect(command.shows("one two three\nend\n"))
        #expect(command.shows("one two three\n\nmore\nend\n"))
        #expect(!command.shows("one two three\n"))
        #expect(!command.shows("one two\nend\n"))
        #expect(!command.shows("one two three\nend\nand more\n"))
        #expect(!ShownCommand(line: "", output: []).shows("more\n"))
    }

    /// A command's output on a terminal: both streams.
    private func run(_ line: String) async throws -> String {
        // Around noon, so that no midnight is between two commands.
        let hour = Calendar.current.dateComponents(in: .gmt, from: Date()).hour ?? 0
        let script = """
            cd "$1"; export PATH="$2:$PATH" TZ="UTC\(hour - 12)"
            umask 022
            make() { github-client --out "${2#OUT=}"; }
            exec 2>&1
            eval "$3"
            """
        let programs = URL(fileURLWithPath: try CommandLocation.path(of: "trackctl")).deletingLastPathComponent().path
        let result = try await runProgram("/bin/bash", ["-c", script, "-", folder.path, programs, line])
        return String(decoding: result.stdout, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }
}

/// A command on a page, and the output below it.
private struct ShownCommand {
    let line: String
    var output: [String] = []

    /// The commands in all blocks that show a terminal.
    static func commands(in page: String) -> [ShownCommand] {
        var commands: [ShownCommand] = []
        var isShown = false
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isShown = line == "```console"
            } else if isShown, line.hasPrefix("$ ") {
                commands.append(ShownCommand(line: String(line.dropFirst(2))))
            } else if isShown {
                commands[commands.count - 1].output.append(line)
            }
        }
        return commands
    }

    /// Whether this matches the page: `…` matches any text in a line, and alone any lines.
    func shows(_ printed: String) -> Bool {
        let pattern = output.map { line in
            line == "…"
                ? "(?:.*\n)*?"
                : line.components(separatedBy: "…").map(NSRegularExpression.escapedPattern).joined(separator: ".*")
                    + "\n"
        }.joined()
        return printed.range(of: "\\A\(pattern)\\z", options: .regularExpression) != nil
    }
}
