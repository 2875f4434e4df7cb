import CommandRunner
import Foundation
import Testing

/// The built program on a pseudo-terminal, and the same on a pipe.
@Suite("trackctl on a terminal")
struct TrackctlTerminalTests {
    /// Characters that control a terminal and are valid in JSON strings: DEL, C1, overrides, isolates, direction marks.
    private static let legal =
        "\u{7F}\u{80}\u{85}\u{9B}2J\u{9D}\u{202A}\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}\u{2028}"
    /// Characters that a line may contain nevertheless, because dump only checks its structure.
    private static let illegal = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{8}\r"

    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    /// A file of one event, whose user is this.
    private func file(user: String) throws -> String {
        try folder.file("a.jsonl", TrackctlLine(1, "search", user: user).text + "\n")
    }

    /// Whether any control sequence is left.
    private func isHarmless(_ result: CommandResult) -> Bool {
        // Tabs are between fields, and progress is the program's own.
        (result.text + result.stderr.replacing("\r\u{1B}[K", with: "")).unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A: true
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
    }

    @Test("A line is shown with escapes, and is the same JSON; a pipe and a file get its bytes")
    func lines() async throws {
        let file = try file(user: Self.legal)
        let bytes = folder.bytes("a.jsonl")
        let shown = try await runOnTerminal("trackctl", ["dump", file])
        #expect(isHarmless(shown) && shown.exitCode == 0)
        #expect(
            shown.text.contains(
                #""user_id":"\u007f\u0080\u0085\u009b2J\u009d\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028""#))
        let objects = try [shown.stdout, bytes ?? []].map {
            try JSONSerialization.jsonObject(with: Data($0)) as? NSDictionary
        }
        #expect(objects[0] == objects[1] && objects[0] != nil)
        #expect(try await runCommand("trackctl", ["dump", file]).stdout == bytes)
    }

    @Test("A line that is not JSON is shown with escapes, and can be read")
    func controls() async throws {
        let file = try file(user: Self.illegal)
        let shown = try await runOnTerminal("trackctl", ["dump", file])
        #expect(isHarmless(shown))
        #expect(shown.text.contains(#""user_id":"\u001b]0;owned\u0007\u001b[2J\u0008\u000d""#))
        #expect(throws: Never.self) { _ = try JSONSerialization.jsonObject(with: Data(shown.stdout)) }
        #expect(try await runCommand("trackctl", ["dump", file]).stdout == folder.bytes("a.jsonl"))
    }

    @Test(
        "No format passes on text that controls the terminal",
        arguments: [
            ["dump", "-o", "jsonl"], ["dump", "-o", "pretty", "--color", "never"], ["dump", "-o", "table"],
            ["dump", "-o", "tsv"], ["dump", "-o", "json-seq"], ["dump", "-o", "cloudevents"],
            ["dump", "-o", "segment"],
            ["dump", "-o", "otlp"], ["dump", "-f", "%{user_id}"], ["dump", "--fields", "user_id"], ["tail"],
            ["tail", "-o", "jsonl"], ["merge"], ["replay", "--to", "-"], ["stats"], ["stats", "--json"],
            ["assert", "-e", "search[0].user_id == \"x\""], ["validate", "--schemas", "Schemas"],
            ["validate", "--schemas", "Schemas", "--format", "json"], ["report"],
        ])
    func formats(command: [String]) async throws {
        // A character that is escaped in the line is literal in a table.
        let user = Self.legal + #"\u001b]0;owned\u0007\r\b"#
        let file = try file(user: user)
        let name = try folder.file("b\u{1B}[31m.jsonl", TrackctlLine(1, "x\u{9B}\u{200F}", user: user).text + "\n")
        for file in [file, name] {
            #expect(isHarmless(try await runOnTerminal("trackctl", command + [file])), "\(file)")
        }
    }

    @Test("Colors reach the terminal, and no other control sequence does")
    func colours() async throws {
        let shown = try await runOnTerminal("trackctl", ["dump", "-o", "pretty", try file(user: Self.legal)])
        #expect(shown.text.contains("\u{1B}[32m"))
        #expect(!shown.text.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{200F}" || $0 == "\u{202E}" })
    }

    @Test("Fields that begin like a formula get an apostrophe there, and elsewhere only on request")
    func formulas() async throws {
        let file = try folder.file(
            "a.jsonl", ["=1+1", "+1", "-1", "@x", "\u{FF1D}1", "a=1"].map { TrackctlLine(1, user: $0) }.text)
        let plain = ["user_id", "=1+1", "+1", "-1", "@x", "\u{FF1D}1", "a=1"]
        let safe = ["user_id", "'=1+1", "'+1", "'-1", "'@x", "'\u{FF1D}1", "a=1"]
        for (format, end) in [("csv", "\r\n"), ("tsv", "\n")] {
            let command = ["dump", file, "-o", format, "--fields", "user_id"]
            let text = { (fields: [String]) in fields.map { $0 + end }.joined() }
            #expect(try await runOnTerminal("trackctl", command).text == text(safe))
            #expect(try await runOnTerminal("trackctl", command + ["--no-spreadsheet-safe"]).text == text(plain))
            #expect(try await trackctl(command).text == text(plain))
            #expect(try await trackctl(command + ["--spreadsheet-safe"]).text == text(safe))
        }
        let merged = try await trackctl(["merge", file, "-o", "csv", "--fields", "user_id", "--to", folder("m.csv")])
        #expect(merged.exitCode == 0)
        #expect(folder.bytes("m.csv").map { String(decoding: $0, as: UTF8.self).contains("\r\n=1+1") } == true)
    }

    @Test("Numbers are no formulas, and event names of stats may be")
    func numbers() async throws {
        let line = TrackctlLine(1, "=x").text.replacing(#""name":"=x""#, with: #""name":"=x","value":{"n":-1}"#)
        let file = try folder.file("a.jsonl", line + "\n")
        let dump = ["dump", file, "-o", "csv", "--fields", "event.value.n,event.name"]
        #expect(try await runOnTerminal("trackctl", dump).text == "event.value.n,event.name\r\n-1,'=x\r\n")
        let stats = ["stats", file, "--format", "csv"]
        #expect(try await runOnTerminal("trackctl", stats).text.contains("\r\n'=x,1,"))
        #expect(try await trackctl(stats).text.contains("\r\n=x,1,"))
        #expect(try await trackctl(stats + ["--spreadsheet-safe"]).text.contains("\r\n'=x,1,"))
        #expect(try await trackctl(["stats", file, "--spreadsheet-safe"]).exitCode == 64)
    }

    @Test("Files that trackctl names itself are safe for spreadsheets unless that is disabled, and have no colors")
    func partitions() async throws {
        let file = try folder.file("a.jsonl", TrackctlLine(1, user: "=1").text + "\n")
        func first(_ options: [String], into name: String) async throws -> String? {
            let arguments = ["dump", file, "--partition", "%{event.name}", "--into", folder(name)] + options
            #expect(try await runOnTerminal("trackctl", arguments).exitCode == 0)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder(name))
            let written = files.first { $0.hasPrefix("launch/events.") }.flatMap { folder.bytes("\(name)/\($0)") }
            return written.map { String(decoding: $0, as: UTF8.self) }
        }
        let csv = ["-o", "csv", "--fields", "user_id"]
        #expect(try await first(csv, into: "a") == "user_id\r\n'=1\r\n")
        #expect(try await first(csv + ["--no-spreadsheet-safe"], into: "b") == "user_id\r\n=1\r\n")
        #expect(try await first(["-o", "pretty"], into: "c")?.contains("\u{1B}") == false)
        #expect(try await first([], into: "d").map { Array($0.utf8) } == folder.bytes("a.jsonl"))
    }

    @Test("A configuration may disable it")
    func configuration() async throws {
        let file = try folder.file("a.jsonl", TrackctlLine(1, user: "=1").text + "\n")
        let config = try folder.file("config", "spreadsheet-safe = false\n")
        let dump = ["dump", file, "-o", "csv", "--fields", "user_id"]
        let plain = try await runOnTerminal("trackctl", dump, environment: ["TRACKCTL_CONFIG": config])
        #expect(plain.text == "user_id\r\n=1\r\n")
        let typed = try await trackctl(dump + ["--spreadsheet-safe"], environment: ["TRACKCTL_CONFIG": config])
        #expect(typed.text == "user_id\r\n'=1\r\n")
        let asked = ["TRACKCTL_SPREADSHEET_SAFE": "true"]
        #expect(try await trackctl(dump, environment: asked).text == "user_id\r\n'=1\r\n")
    }

    @Test("Messages on standard error are shown with escapes there, and are exact elsewhere")
    func complaints() async throws {
        let name = folder("none\u{1B}]0;x\u{202E}.jsonl")
        let said = "trackctl: cannot open \(name): no such file; check the path\n"
        #expect(try await runCommand("trackctl", ["dump", name]).stderr == said)
        let shown = said.replacing("\u{1B}", with: #"\u001b"#).replacing("\u{202E}", with: #"\u202e"#)
        #expect(try await runOnTerminal("trackctl", ["dump", name]).stderr == shown)
    }

    @Test("The table is as wide as the terminal, escapes included")
    func width() async throws {
        let file = try file(user: String(repeating: "\u{200F}", count: 40))
        let shown = try await runOnTerminal("trackctl", ["dump", "-o", "table", file], columns: 60)
        #expect(shown.lines.allSatisfy { $0.count <= 60 } && shown.text.contains(#"\u{200f}"#))
    }
}
