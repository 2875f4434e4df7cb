import CommandRunner
import EventLog
import Foundation
import Testing

/// Tests that need root to fill a disk, or to run as a user without permission for a file.
@Suite("trackctl and disks", .serialized)
struct TrackctlDiskTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private static let isRoot: Bool = {
        #if os(Linux)
            geteuid() == 0
        #else
            false
        #endif
    }()

    /// Runs a body with a disk of 1 MiB mounted at `disk` in the folder.
    private func withSmallDisk(_ body: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(atPath: folder("disk"), withIntermediateDirectories: false)
        let mounted = try await runProgram("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder("disk")])
        try #require(mounted.exitCode == 0)
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        #expect(try await runProgram("/bin/umount", [folder("disk")]).exitCode == 0)
        try result.get()
    }

    @Test(
        "A full disk ends a replay into a log; with free space the same command stores the rest",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func fullDiskLog() async throws {
        let lines = [TrackctlLine].launches(1...5000)
        let input = try folder.file("a.jsonl", lines.text)
        try await withSmallDisk {
            let full = try await runCommand("trackctl", ["replay", input, "--to", folder("disk/a.sqlite")])
            #expect(
                full.stderr.contains(
                    "trackctl: cannot write \(folder("disk/a.sqlite")): the disk is full; free space"))
            #expect(full.stderr.contains("run the same command again for the rest: stored events are skipped"))
            #expect(full.exitCode == 74)

            let grown = try await runProgram("/bin/mount", ["-o", "remount,size=16m", folder("disk")])
            #expect(grown.exitCode == 0)
            let rest = try await runCommand("trackctl", ["replay", input, "--to", folder("disk/a.sqlite")])
            #expect(rest.stderr.contains("0 renumbered"))
            #expect(rest.exitCode == 0)
            #expect(try await runCommand("trackctl", ["dump", folder("disk/a.sqlite")]).text == lines.text)
        }
    }

    @Test("A full disk leaves no partial file behind", .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func fullDiskFile() async throws {
        let input = try folder.file("a.jsonl", [TrackctlLine].launches(1...8000).text)
        try await withSmallDisk {
            let full = try await runCommand("trackctl", ["replay", input, "--to", folder("disk/b.jsonl")])
            #expect(full.stderr.hasPrefix("trackctl: cannot write \(folder("disk/b.jsonl.partial")): no space left"))
            #expect(full.exitCode == 74)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder("disk")).isEmpty)
        }
    }

    @Test(
        "A folder without write permission is named",
        .enabled(if: isRoot, "needs Linux and root, to run a command as nobody"),
        arguments: ["b.sqlite", "b.jsonl"])
    func unwritableFolder(target: String) async throws {
        let input = try folder.file("a.jsonl", [TrackctlLine(1)].text)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let result = try await runCommand("trackctl", ["replay", input, "--to", folder(target)], asUser: "nobody")
        #expect(
            target == "b.jsonl"
                ? result.stderr.hasPrefix("trackctl: cannot write \(folder(target)): permission denied; check")
                : result.stderr.hasPrefix("trackctl: cannot open \(folder(target)): ")
                    && result.stderr.contains("folder exists and is writable"))
        #expect(result.exitCode == 74)
        #expect(try folder.names() == ["a.jsonl"])
    }

    @Test(
        "Unreadable journals are an error: without them a dump would look complete",
        .enabled(if: isRoot, "needs Linux and root, to run a command as nobody"))
    func unreadableJournal() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-1")
        folder.append([TrackctlLine(1)], to: store)
        try await store.commit()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        // The database was made readable for all users, but not its journals.
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder("a.sqlite" + suffix))
        }
        let result = try await runCommand("trackctl", ["dump", folder("a.sqlite")], asUser: "nobody")
        #expect(result.stderr.hasPrefix("trackctl: cannot open \(folder("a.sqlite")): "))
        #expect(result.exitCode == 74)
        try await store.close()
    }

    @Test(
        "A file without read permission is named",
        .enabled(if: isRoot, "needs Linux and root, to run a command as nobody"))
    func unreadableFile() async throws {
        let input = try folder.file("a.jsonl", [TrackctlLine(1)].text)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: input)
        let result = try await runCommand("trackctl", ["dump", input], asUser: "nobody")
        #expect(result.stderr == "trackctl: cannot read \(input): check its permissions\n")
        #expect(result.exitCode == 74)
    }
}
