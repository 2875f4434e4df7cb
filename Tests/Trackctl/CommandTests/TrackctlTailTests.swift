import CommandRunner
import EventLog
import Foundation
import GRDB
import Testing

@Suite("trackctl tail", .timeLimit(.minutes(5)))
struct TrackctlTailTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...20)

    init() throws { folder = try TrackctlFolder() }

    private func append(_ name: String, _ text: String) throws {
        let path = folder(name)
        if !FileManager.default.fileExists(atPath: path) { _ = try folder.file(name, "") }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func expect(_ expected: [TrackctlLine], from command: RunningProgram) async {
        for line in expected { #expect(await command.nextLine() == line.text) }
    }

    private func interrupt(_ command: RunningProgram) async {
        command.send(SIGINT)
        #expect(await command.end().exitCode == 130)
    }

    @Test("Without -f, the last ten events")
    func last() async throws {
        for input in [try folder.file("a.jsonl", lines.text), try await folder.log("a.sqlite", lines)] {
            let result = try await trackctl(["tail", input])
            #expect(result.text == Array(lines.suffix(10)).text && result.exitCode == 0)
            #expect(try await trackctl(["tail", "-n", "2", input]).text == Array(lines.suffix(2)).text)
        }
    }

    @Test("A file is followed through rotation, with the rest of the old one first, and through truncation")
    func file() async throws {
        let file = try folder.file("events.jsonl", Array(lines[..<5]).text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file, "-n", "2"])
        await expect(Array(lines[3..<5]), from: tail)
        // A line is shown when it is complete.
        let half = lines[5].text.utf8.count / 2
        try append("events.jsonl", String(lines[5].text.prefix(half)))
        try append("events.jsonl", lines[5].text.dropFirst(half) + "\n")
        await expect([lines[5]], from: tail)
        #expect(rename(file, folder("events-0000000000000001.jsonl")) == 0)
        try append("events.jsonl", [lines[7]].text)
        await expect([lines[7]], from: tail)
        // The old one is still read, in case its writer still uses it.
        try append("events-0000000000000001.jsonl", [lines[6]].text)
        await expect([lines[6]], from: tail)
        #expect(truncate(file, 0) == 0)
        try append("events.jsonl", [lines[8]].text)
        #expect(await tail.nextErrorLine() == "trackctl: \(file) was truncated: reading it again from the start")
        await expect([lines[8]], from: tail)
        await interrupt(tail)
    }

    @Test("Files that are rotated twice between two checks are read in order, and compressed ones not again")
    func rotatedTwice() async throws {
        let file = try folder.file("events.jsonl", [lines[0]].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file])
        await expect([lines[0]], from: tail)
        tail.send(SIGSTOP)
        #expect(rename(file, folder("events.jsonl.2")) == 0)
        _ = try folder.file("events.jsonl.1", [lines[1]].text)
        _ = try folder.file("events.jsonl", [lines[2]].text)
        try Data(try await gzip([lines[0]].text)).write(to: URL(fileURLWithPath: folder("events.jsonl.3.gz")))
        tail.send(SIGCONT)
        await expect(Array(lines[1...2]), from: tail)
        try append("events.jsonl", [lines[3]].text)
        await expect([lines[3]], from: tail)
        await interrupt(tail)
    }

    @Test("A folder is followed, including new files")
    func folderOfFiles() async throws {
        _ = try folder.file("a.jsonl", [lines[0]].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder.path])
        await expect([lines[0]], from: tail)
        try append("b.jsonl", [lines[1]].text)
        await expect([lines[1]], from: tail)
        try append("a.jsonl", [lines[2]].text)
        await expect([lines[2]], from: tail)
        await interrupt(tail)
    }

    @Test("In the folder of a tracker the database is followed, and this is reported once")
    func trackerFolder() async throws {
        let store = try folder.openLog("events.sqlite", install: "install-a")
        folder.append(Array(lines[..<3]), to: store)
        _ = try folder.file("events.jsonl", Array(lines[..<2]).text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder.path, "-n", "2"])
        await expect(Array(lines[1..<3]), from: tail)
        folder.append([lines[3]], to: store)
        await expect([lines[3]], from: tail)
        tail.send(SIGINT)
        let end = await tail.end()
        #expect(end.exitCode == 130)
        #expect(end.stderr.components(separatedBy: "trackctl: reading \(folder("events.sqlite")), ").count == 2)
        try await store.close()
    }

    @Test("In a folder the last events of all files are first, then new events of any of them")
    func lastOfFolder() async throws {
        for (index, line) in lines.enumerated() {
            let name = "app-\(String(repeating: "0", count: 14))\(index + 10).jsonl"
            if index == 17 {
                _ = try folder.file(name + ".gz", try await gzip([line].text))
            } else {
                _ = try folder.file(name, [line].text)
            }
        }
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder.path])
        await expect(Array(lines.suffix(10)), from: tail)
        let next = [TrackctlLine].launches(21...22)
        try append("app-0000000000000010.jsonl", [next[0]].text)
        await expect([next[0]], from: tail)
        try append("app.jsonl", [next[1]].text)
        await expect([next[1]], from: tail)
        await interrupt(tail)
    }

    @Test("However many files a log has, each event is shown", arguments: ["search", "*"])
    func manyFiles(glob: String) async throws {
        let many = (1...40).map { TrackctlLine($0, "search") }
        for line in many { _ = try folder.file("app.jsonl.\(100 - line.seq)", [line].text) }
        _ = try folder.file("app.jsonl", "")
        let tail = try RunningProgram(
            command: "trackctl", ["tail", "-f", folder.path, "--event", glob, "-n", "100"])
        await expect(many, from: tail)
        try append("app.jsonl", [TrackctlLine(41, "search")].text)
        await expect([TrackctlLine(41, "search")], from: tail)
        await interrupt(tail)
    }

    @Test("The file that gets a log's name is followed, even with the number of a removed file")
    func reusedNumber() async throws {
        _ = try folder.file("a.jsonl.1", [lines[0]].text)
        _ = try folder.file("a.jsonl", [lines[1]].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder("a.jsonl"), "-n", "1"])
        await expect([lines[1]], from: tail)
        // Most file systems give the new file the number of the removed one.
        try FileManager.default.removeItem(atPath: folder("a.jsonl.1"))
        try FileManager.default.moveItem(atPath: folder("a.jsonl"), toPath: folder("a.jsonl.1"))
        try append("a.jsonl", [lines[2]].text)
        await expect([lines[2]], from: tail)
        try append("a.jsonl", [lines[3]].text)
        await expect([lines[3]], from: tail)
        await interrupt(tail)
    }

    @Test("Another log in the folder is not mistaken for a rotated file")
    func otherLogs() async throws {
        _ = try folder.file("app.jsonl", [lines[0]].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder("app.jsonl")])
        await expect([lines[0]], from: tail)
        for name in ["app-errors.jsonl", "app2.jsonl", "app.other.jsonl"] { try append(name, [lines[1]].text) }
        try append("app-0000000000000003.jsonl", [lines[2]].text)
        await expect([lines[2]], from: tail)
        await interrupt(tail)
    }

    @Test("A line that never ends uses limited memory, and is reported when it ends")
    func endless() async throws {
        let file = try folder.file("a.jsonl", [lines[0]].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file])
        await expect([lines[0]], from: tail)
        try append("a.jsonl", String(repeating: "x", count: 20 << 20))
        try append("a.jsonl", "\n" + [lines[1]].text)
        #expect(await tail.nextErrorLine()?.contains(":2:1: the line is longer than") == true)
        await expect([lines[1]], from: tail)
        await interrupt(tail)
    }

    @Test("A limit counts the events shown, from the last ones on")
    func limited() async throws {
        let searches = (1...30).map { TrackctlLine($0, "search") }
        let file = try folder.file("a.jsonl", searches.text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file, "--event", "search", "--limit", "12"])
        await expect(Array(searches.suffix(10)), from: tail)
        let next = (31...34).map { TrackctlLine($0, "search") }
        try append("a.jsonl", next.text)
        await expect(Array(next.prefix(2)), from: tail)
        #expect(await tail.end().exitCode == 0)
    }

    @Test("An event log is followed while it is written, and when its file is replaced")
    func database() async throws {
        var store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(Array(lines[..<3]), to: store)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder("a.sqlite"), "-n", "2"])
        await expect(Array(lines[1..<3]), from: tail)
        folder.append(Array(lines[3..<5]), to: store)
        await expect(Array(lines[3..<5]), from: tail)
        try await store.close()
        for name in try folder.names() { try FileManager.default.removeItem(atPath: folder(name)) }
        store = try folder.openLog("a.sqlite", install: "install-b")
        let other = [TrackctlLine(1, install: "install-b")]
        folder.append(other, to: store)
        await expect(other, from: tail)
        await interrupt(tail)
        try await store.close()
    }

    @Test("A missing file is awaited if its folder exists", arguments: ["a.sqlite", ""])
    func awaited(name: String) async throws {
        try FileManager.default.createDirectory(atPath: folder("new"), withIntermediateDirectories: false)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder("new/\(name)")])
        #expect(await tail.nextErrorLine() == "trackctl: \(folder("new/\(name)")) has no events yet: waiting")
        let store = try folder.openLog("new/a.sqlite", install: "install-a")
        folder.append(Array(lines[..<12]), to: store)
        await expect(Array(lines[..<12]), from: tail)
        await interrupt(tail)
        try await store.close()
        let nowhere = try await trackctl(["tail", "-f", folder("nowhere/a.sqlite")])
        #expect(nowhere.exitCode == 66)
        #expect(nowhere.stderr == "trackctl: cannot open \(folder("nowhere/a.sqlite")): no such file; check the path\n")
    }

    @Test("A database without its tables is awaited", arguments: ["", "PRAGMA journal_mode = wal"])
    func empty(statement: String) async throws {
        let database = try DatabaseQueue(path: folder("a.sqlite"))
        if !statement.isEmpty { try await database.writeWithoutTransaction { try $0.execute(sql: statement) } }
        try database.close()
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", folder("a.sqlite"), "-n", "5"])
        #expect(await tail.nextErrorLine() == "trackctl: \(folder("a.sqlite")) has no events yet: waiting")
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(Array(lines[..<3]), to: store)
        await expect(Array(lines[..<3]), from: tail)
        await interrupt(tail)
        try await store.close()
    }

    @Test("Only selected events are shown, up to a limit, which ends it")
    func selected() async throws {
        let file = try folder.file("a.jsonl", [TrackctlLine(1), TrackctlLine(2, "search")].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file, "--event", "search", "--limit", "3"])
        await expect([TrackctlLine(2, "search")], from: tail)
        try append(
            "a.jsonl",
            [TrackctlLine(3), TrackctlLine(4, "search"), TrackctlLine(5, "search"), TrackctlLine(6, "search")].text)
        await expect([TrackctlLine(4, "search"), TrackctlLine(5, "search")], from: tail)
        #expect(await tail.end().exitCode == 0)
        #expect(await tail.nextLine() == nil)
    }

    @Test("A cursor file continues where the last run was interrupted")
    func cursor() async throws {
        let file = try folder.file("a.jsonl", Array(lines[..<2]).text)
        for next in 2...3 {
            let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file, "--cursor-file", folder("cursor")])
            await expect(next == 2 ? Array(lines[..<2]) : [], from: tail)
            try append("a.jsonl", [lines[next]].text)
            await expect([lines[next]], from: tail)
            await interrupt(tail)
        }
        #expect(folder.bytes("cursor") == Array("install-a=4\n".utf8))
    }

    @Test("Malformed lines are reported with their numbers, and standard input cannot be followed")
    func issues() async throws {
        let file = try folder.file("a.jsonl", [lines[0]].text)
        let tail = try RunningProgram(command: "trackctl", ["tail", "-f", file, "-n", "5"])
        await expect([lines[0]], from: tail)
        try append("a.jsonl", "x\n" + [lines[1]].text)
        #expect(await tail.nextErrorLine() == "\(file):2:1: expected a value")
        await expect([lines[1]], from: tail)
        await interrupt(tail)
        #expect(try await trackctl(["tail", "-f", "-"]).exitCode == 64)
        #expect(try await trackctl(["tail", "-f", folder("none/a.jsonl")]).exitCode == 66)
    }
}
