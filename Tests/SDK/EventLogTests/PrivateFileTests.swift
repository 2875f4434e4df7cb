import CommandRunner
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// The permissions of a log's files, and the files that a log rejects.
@Suite("Private files", .serialized)
struct PrivateFileTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func expectPrivate(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            let path = folder.url.path + "/" + name
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            #expect(try mode(path) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)", sourceLocation: sourceLocation)
        }
    }

    @Test("files are 0600 and folders 0700 with any umask; files of a former version are changed to that")
    func modes() async throws {
        let writer = try CommandLocation.path(of: "log-writer")
        let result = try await runProgram(
            "/bin/sh", ["-c", "umask 0; exec \"$0\" send \"$1\" 2000", writer, folder.path])
        #expect(result.exitCode == 0)
        try expectPrivate()
        let store = try folder.open()
        store.append()
        try await store.commit()
        try expectPrivate()
        try await store.close()

        // The files as a former version created them.
        let dead = try LoneWriter(folder)
        dead.append()
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            chmod(folder.url.path + "/" + name, name.hasSuffix(".journal") ? 0o777 : 0o666)
        }
        try folder.change(folder.journal + "/writer-1-a") { bytes in bytes[0] = 0 }
        let second = try folder.open()
        try await second.commit()
        #expect(try folder.reasons().contains("writer-1-a: damaged header\n"))
        try expectPrivate()
        try await second.close()
    }

    /// The names and kinds of files that a log rejects. Only root can give a file to another user.
    private static let refused: [(name: String, kind: String)] = [
        "events.sqlite", "events.sqlite-wal", "events.sqlite.journal", "control", "reserve",
    ]
    .flatMap { name in
        (name.hasSuffix(".journal") ? ["link", "owner"] : ["link", "second name", "owner", "folder"])
            .filter { $0 != "owner" || getuid() == 0 }.map { (name, $0) }
    }

    @Test(
        "symbolic links, other users' files and files with a second hard link are rejected and not changed",
        arguments: refused)
    func refusals(name: String, kind: String) async throws {
        let isFolder = name.hasSuffix(".journal")
        let inside = name == "control" || name == "reserve"
        try await folder.open().close()
        let path = (inside ? folder.journal : folder.url.path) + "/" + name
        if inside {
            try FileManager.default.createDirectory(atPath: folder.journal, withIntermediateDirectories: false)
        }
        let target = folder.url.path + "/target"
        if isFolder {
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        } else if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.moveItem(atPath: path, toPath: target)
        } else {
            try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
        }
        let before = isFolder ? nil : try Data(contentsOf: URL(fileURLWithPath: target))
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        case "second name": try FileManager.default.linkItem(atPath: target, toPath: path)
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        default:
            if isFolder {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            } else {
                try FileManager.default.copyItem(atPath: target, toPath: path)
            }
            #expect(chown(path, 65534, 65534) == 0)
        }
        // The reserve only holds space; the log opens without it.
        if name == "reserve" {
            try await folder.open().close()
        } else {
            #expect {
                _ = try folder.open()
            } throws: { error in
                let error = error as? EventLogError
                return error?.code == .cannotOpen && "\(error, default: "")".contains(path)
            }
        }
        if let before { #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before) }
        if isFolder { #expect(try FileManager.default.contentsOfDirectory(atPath: target) == []) }
    }

    @Test("a reader does not change permissions")
    func reader() async throws {
        let store = try folder.open()
        store.append()
        try await store.commit()
        try await store.close()
        chmod(folder.path, 0o644)
        #expect(try EventLogReader(path: folder.path).read(after: 0).count == 1)
        #expect(try mode(folder.path) == 0o644)
        let link = folder.url.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        #expect(try EventLogReader(path: link).read(after: 0).count == 1)
    }

    @Test("opening a log keeps the locks of another connection of the process")
    func locksStay() async throws {
        let store = try folder.open()
        store.append()
        try await store.commit()
        let second = try folder.open()
        // Another process sees the first connection's lock on the database: it cannot leave WAL mode.
        let result = try await runProgram(
            "/usr/bin/env", ["python3", "-c", Self.leaveWAL, folder.path])
        #expect(String(decoding: result.stdout, as: UTF8.self) == "locked\n", "\(result.stderr)")
        try await second.close()
        try await store.close()
    }

    private static let leaveWAL = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
        try: print(connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0])
        except sqlite3.OperationalError as error: print("locked" if "locked" in str(error) else error)
        """
}
