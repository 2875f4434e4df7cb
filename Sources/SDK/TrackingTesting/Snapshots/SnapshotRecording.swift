internal import Foundation
internal import Primitives

/// Writes the snapshots of a run of tests.
final class SnapshotRecording: Sendable {
    /// What says, as `1` or `true`, that snapshots are written.
    static let variable = "TRACKING_RECORD_SNAPSHOTS"

    /// Nil if snapshots are compared.
    static let ofThisRun: SnapshotRecording? = {
        let environment = ProcessInfo.processInfo.environment
        return ["1", "true"].contains(environment[variable])
            ? SnapshotRecording(isAllowed: (environment["CI"] ?? "").isEmpty) : nil
    }()

    private let isAllowed: Bool
    private let written = Locked<[String: [String]]>([:])

    /// - Parameter isAllowed: Whether anything may be written: where it is not, a forgotten variable would let all pass.
    init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Writes a snapshot.
    ///
    /// - Returns: Why not; nil if it was written.
    /// - Throws: What the system answers.
    func write(_ lines: [String], to snapshot: Snapshot) throws -> String? {
        guard isAllowed else { return "snapshots are not written where CI is set: unset \(Self.variable)" }
        let isOther = written.withLock { written in
            defer { written[snapshot.path] = written[snapshot.path] ?? lines }
            return written[snapshot.path].map { $0 != lines } ?? false
        }
        guard !isOther else {
            return "another snapshot of this run is \(snapshot.name): give one of them a name, expectSnapshot(\"…\")"
        }
        try snapshot.write(lines)
        return nil
    }
}
