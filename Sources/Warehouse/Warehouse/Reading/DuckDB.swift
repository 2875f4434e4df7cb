internal import Foundation
internal import Primitives

/// DuckDB's command-line program.
struct DuckDB {
    /// The program ended with an error.
    struct Failure: Error {
        /// The program's error message. It can contain values of files.
        let text: String
    }

    enum Mode: String {
        case csv, list
    }

    /// The program's name or path.
    let program: String

    /// Runs SQL, and returns its output.
    ///
    /// - Throws: ``Failure``; `LoaderError`, `unavailable`, if the program is missing.
    func run(_ sql: String, mode: Mode = .list) throws -> [UInt8] {
        var output: [UInt8] = []
        try run(sql, mode: mode) { output += $0 }
        return output
    }

    /// Runs SQL, and calls `consume` with its output piece by piece. The SQL is not visible in the list of processes.
    ///
    /// - Throws: ``Failure``; `LoaderError`, `unavailable`, if the program is missing; everything that `consume` throws.
    func run(_ sql: String, mode: Mode = .list, _ consume: (Data) throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, "-\(mode.rawValue)", "-noheader", "-batch", "-bail", "-init", "/dev/null"]
        let input = Pipe()
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw LoaderError(.unavailable, "cannot start \(program): \(error)", underlyingError: error)
        }
        Self.send(sql + ";\n", to: input.fileHandleForWriting)
        do {
            while let piece = try output.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
                try consume(piece)
            }
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: break
        case 126, 127:
            throw LoaderError(
                .unavailable,
                "cannot find the program \(program): install DuckDB's command-line program, such as the Python package duckdb-cli, or pass --duckdb PATH"
            )
        default:
            let text = String(decoding: complaint.prefix(400), as: UTF8.self)
            throw Failure(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    /// Writes to a pipe on a thread with SIGPIPE blocked, and closes it: a program may end before it has read its input, which its
    /// exit code reports. For other writes, the signal keeps the action that the process has set.
    private static func send(_ text: String, to input: FileHandle) {
        Thread.detachNewThread {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            try? input.write(contentsOf: Data(text.utf8))  // the program has ended
            try? input.close()  // nothing is buffered
        }
    }

    /// Text as SQL. Escapes nothing, so that it can be any UTF-8, with zeros.
    static func literal(_ text: [UInt8]) -> String { "decode(unhex('\(text.hexadecimal)'))" }

    /// A relation of Parquet files, as text for FROM.
    ///
    /// - Parameter hasNames: Whether there is a column `file` with the path.
    static func parquet(_ paths: some Collection<String>, hasNames: Bool = false) -> String {
        let list = paths.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
        return "read_parquet([\(list)], hive_partitioning = false\(hasNames ? ", filename = 'file'" : ""))"
    }
}
