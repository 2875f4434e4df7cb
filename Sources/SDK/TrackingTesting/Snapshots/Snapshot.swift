internal import Foundation
internal import Primitives

/// A golden file next to a test's source.
struct Snapshot {
    let url: URL
    var path: String { url.path }
    var name: String { url.lastPathComponent }

    init(name: String, of location: CodeLocation) {
        let source = URL(fileURLWithPath: location.filePath)
        self.init(
            name: name,
            in: source.deletingLastPathComponent().appendingPathComponent("__Snapshots__")
                .appendingPathComponent(source.deletingPathExtension().lastPathComponent))
    }

    init(name: String, in folder: URL) {
        let kept = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        url = folder.appendingPathComponent(String(kept) + ".jsonl")
    }

    /// The lines of the file; nil if there is none.
    func lines() throws -> [String]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    }

    func write(_ lines: [String]) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url, options: .atomic)
    }
}

/// Writes the snapshots of a test run.
final class SnapshotRecording: Sendable {
    /// The environment variable that enables writing snapshots, `1` or `true`.
    static let variable = "TRACKING_RECORD_SNAPSHOTS"

    /// Nil if snapshots are compared.
    static let ofThisRun: SnapshotRecording? = {
        let environment = ProcessInfo.processInfo.environment
        return ["1", "true"].contains(environment[variable])
            ? SnapshotRecording(isAllowed: (environment["CI"] ?? "").isEmpty) : nil
    }()

    private let isAllowed: Bool
    private let written = Locked<[String: [String]]>([:])

    /// - Parameter isAllowed: Whether snapshots may be written. In CI they may not: a forgotten variable would let all
    ///   tests pass.
    init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Writes a snapshot.
    ///
    /// - Returns: nil, or the reason why it was not written.
    /// - Throws: The system's error.
    func write(_ lines: [String], to snapshot: Snapshot) throws -> String? {
        guard isAllowed else { return "snapshots are not written when CI is set: unset \(Self.variable)" }
        let isOther = written.withLock { written in
            defer { written[snapshot.path] = written[snapshot.path] ?? lines }
            return written[snapshot.path].map { $0 != lines } ?? false
        }
        guard !isOther else {
            return "two snapshots of this run are named \(snapshot.name): rename one of them, expectSnapshot(\"…\")"
        }
        try snapshot.write(lines)
        return nil
    }
}
