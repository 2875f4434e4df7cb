import CommandRunner
import EventLog
import EventModel
import Foundation
import Testing

@Suite("trackctl replay")
struct TrackctlReplayTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine(3), TrackctlLine(4, "page-view"), TrackctlLine(9, "search")]

    init() throws { folder = try TrackctlFolder() }

    private func replay(_ input: String, to target: String, stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["replay", input, "--to", target], stdin: stdin)
    }

    private func dump(_ path: String) async throws -> String { try await trackctl(["dump", path]).text }

    @Test("An empty log keeps order, numbers and bytes")
    func intoEmptyLog() async throws {
        let result = try await replay(try folder.file("a.jsonl", lines.text), to: folder("a.sqlite"))
        #expect(result.stderr == "replayed 3 events: 3 kept, 0 renumbered, 0 known (skipped)\n")
        #expect(result.stdout.isEmpty && result.exitCode == 0)
        #expect(try await dump(folder("a.sqlite")) == lines.text)
        #expect(try folder.query("a.sqlite", "SELECT install_id FROM log") == ["install-a"])
        #expect(try folder.names() == ["a.jsonl", "a.sqlite"])
    }

    @Test("A second replay adds nothing")
    func twice() async throws {
        let input = try folder.file("a.jsonl.gz", try await gzip([TrackctlLine].launches(1...1200).text))
        let first = try await replay(input, to: folder("a.db"))
        #expect(first.stderr == "replayed 1,200 events: 1,200 kept, 0 renumbered, 0 known (skipped)\n")
        let second = try await replay(input, to: folder("a.db"))
        #expect(second.stderr == "replayed 1,200 events: 0 kept, 0 renumbered, 1,200 known (skipped); nothing new\n")
        #expect(second.exitCode == 0)
        #expect(try await dump(folder("a.db")) == [TrackctlLine].launches(1...1200).text)
    }

    @Test("A log of another install assigns new numbers and records the origin of the events")
    func intoOtherInstall() async throws {
        let own = [TrackctlLine(1, install: "install-b"), TrackctlLine(2, install: "install-b")]
        let log = try await folder.log("b.sqlite", own)
        let result = try await replay(try folder.file("a.jsonl", lines.text), to: log)
        #expect(result.stderr == "replayed 3 events: 0 kept, 3 renumbered, 0 known (skipped)\n")
        let moved = zip(lines, 3...).map { line, seq in
            line.text
                .replacingOccurrences(
                    of: #""install_id":"install-a","seq":\#(line.seq)"#,
                    with: #""install_id":"install-b","seq":\#(seq)"#
                )
                .replacingOccurrences(
                    of: #","event""#,
                    with: #","origin":{"install_id":"install-a","seq":\#(line.seq)},"event""#)
        }
        #expect(try await dump(log) == own.text + moved.map { "\($0)\n" }.joined())
    }

    @Test("A name that is not a database's creates a new file of the same lines")
    func intoNewFile() async throws {
        let log = try await folder.log("a.sqlite", .launches(1...700))
        let result = try await replay(log, to: folder("b.jsonl"))
        #expect(result.stderr == "replayed 700 events: 700 kept, 0 renumbered, 0 known (skipped)\n")
        #expect(folder.bytes("b.jsonl") == Array([TrackctlLine].launches(1...700).text.utf8))
        #expect(try !folder.names().contains("b.jsonl.partial"))
    }

    @Test("Standard input goes to standard output")
    func pipes() async throws {
        let result = try await replay("-", to: "-", stdin: try await gzip(lines.text))
        #expect(result.text == lines.text)
        #expect(result.stderr == "replayed 3 events: 3 kept, 0 renumbered, 0 known (skipped)\n")
    }

    @Test("An existing file is not overwritten")
    func existingFile() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let target = try folder.file("b.jsonl", "mine\n")
        let result = try await replay(input, to: target)
        #expect(result.stderr == "trackctl: \(target) exists and is not an event log: choose another name\n")
        #expect(result.exitCode == 64)
        #expect(folder.bytes("b.jsonl") == Array("mine\n".utf8))
    }

    @Test("The partial file of a killed replay is overwritten")
    func partialFile() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        _ = try folder.file("b.jsonl.partial", "half of a line that is longer than all that follows" + lines.text)
        #expect(try await replay(input, to: folder("b.jsonl")).exitCode == 0)
        #expect(folder.bytes("b.jsonl") == Array(lines.text.utf8))
        #expect(try folder.names() == ["a.jsonl", "b.jsonl"])
    }

    @Test("A missing input creates no target", arguments: ["b.sqlite", "b.jsonl"])
    func missingInput(target: String) async throws {
        let result = try await replay(folder("none.jsonl"), to: folder(target))
        #expect(result.exitCode == 66)
        #expect(try folder.names().isEmpty)
    }

    @Test("A target in a missing folder is an error", arguments: ["none/b.sqlite", "none/b.jsonl"])
    func missingFolder(target: String) async throws {
        let result = try await replay(try folder.file("a.jsonl", lines.text), to: folder(target))
        #expect(
            result.stderr.hasPrefix("trackctl: cannot write \(folder(target)): no such folder")
                || result.stderr.hasPrefix("trackctl: \(folder(target)) cannot be opened: check that its folder exists")
        )
        #expect(result.exitCode == 74)
    }

    @Test("Malformed lines do not stop the replay of the others")
    func faultyLines() async throws {
        let input = try folder.file("a.jsonl", "\(lines[0].text)\nnull\n\(lines[1].text)\n\(lines[2].text)")
        let result = try await replay(input, to: folder("a.sqlite"))
        #expect(
            result.stderr == """
                \(input):2:1: not a tracking container: the line is not an object
                \(input):4:1: torn write: the last line has no line feed
                replayed 2 events: 2 kept, 0 renumbered, 0 known (skipped)
                trackctl: skipped 2 malformed lines

                """)
        #expect(result.exitCode == 65)
        #expect(try await dump(folder("a.sqlite")) == [lines[0], lines[1]].text)
    }

    @Test("A log that another process has open accepts a replay; their numbers do not collide", .builtProgram)
    func logInUse() async throws {
        let store = try folder.openLog("b.sqlite", install: "install-b")
        folder.append([TrackctlLine(1, install: "install-b")], to: store)
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, to: folder("b.sqlite"))
        #expect(result.stderr == "replayed 3 events: 0 kept, 3 renumbered, 0 known (skipped)\n")
        folder.append([TrackctlLine(5, install: "install-b")], to: store)
        #expect(try await store.read(after: 0, maximumCount: 10, maximumBytes: .max).map(\.seq) == [1, 2, 3, 4, 5])
        try await store.close()
        #expect(try await replay(input, to: folder("b.sqlite")).stderr.contains("3 known"))
    }

    @Test("A log is replayed into a file while another process writes it", .builtProgram)
    func openSource() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...3), to: store)
        try await store.commit()
        #expect(try await replay(folder("a.sqlite"), to: folder("b.jsonl")).exitCode == 0)
        #expect(folder.bytes("b.jsonl") == Array([TrackctlLine].launches(1...3).text.utf8))
        try await store.close()
    }
}
