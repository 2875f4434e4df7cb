import CommandRunner
import EventLog
import Foundation
import GRDB

/// A folder for one test, removed with everything in it when the test ends.
final class TrackctlFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("trackctl-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // lost: disk space in the temporary folder
    }

    /// The path of a file in the folder, which need not exist.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
        return self(name)
    }

    /// The bytes of a file, or nil if there is none.
    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: self(name)).map { [UInt8]($0) } }

    /// The names of all files, sorted.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Makes an event log that holds these lines, and closes it.
    func log(_ name: String, _ lines: [TrackctlLine]) async throws -> String {
        let store = try openLog(name, install: lines.first?.install ?? "empty")
        append(lines, to: store)
        try await store.close()
        return self(name)
    }

    /// Opens an event log for writing in this process.
    func openLog(_ name: String, install: String) throws -> SQLiteEventStore {
        try SQLiteEventStore(path: self(name), options: .init(installID: { install }, retention: .keepAll))
    }

    /// Appends lines whose numbers continue those of the log.
    func append(_ lines: [TrackctlLine], to store: SQLiteEventStore) {
        for line in lines { _ = store.append { line.record(seq: $0) } }
    }

    /// Runs SQL on a database that need not be an event log.
    func execute(_ name: String, _ sql: String) throws {
        let database = try DatabaseQueue(path: self(name))
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
    }

    /// The first column of each row that SQL finds.
    func query(_ name: String, _ sql: String) throws -> [String] {
        let database = try DatabaseQueue(path: self(name))
        defer { try? database.close() }  // the file is read only here
        return try database.read { try String.fetchAll($0, sql: sql) }
    }
}

/// Compresses with the system's gzip.
func gzip(_ text: String) async throws -> [UInt8] {
    try await runProgram("/usr/bin/gzip", ["-c", "-n"], stdin: Array(text.utf8)).stdout
}

/// Compresses with the system's zstd.
func zstdPacked(_ text: String) async throws -> [UInt8] {
    let packed = try await runProgram("/usr/bin/env", ["zstd", "-q", "-c"], stdin: Array(text.utf8))
    guard packed.exitCode == 0 else { throw ZstdMissing() }
    return packed.stdout
}

/// The zstd command is missing or fails: `make setup` installs it.
struct ZstdMissing: Error {}

/// Decompresses with the system's gzip.
func gunzip(_ bytes: [UInt8]) async throws -> [UInt8] {
    try await runProgram("/usr/bin/gzip", ["-dc"], stdin: bytes).stdout
}
