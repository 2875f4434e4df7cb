internal import EventLog
internal import Foundation
internal import Primitives

/// Examines a log's journals. Changes nothing.
package struct JournalExamination: Sendable {
    /// A writer's ring.
    package struct Ring: Sendable {
        package let name: String
        /// The process that writes it; nil if unknown.
        package let process: Int32?
        /// Whether the process is still running.
        package let isAlive: Bool
        /// Events in the ring that are not in the database.
        package let waiting: Int
        /// The ring's error; nil if it is intact.
        package let issue: String?
        /// The format, if it is newer than this program's.
        package let newerVersion: UInt32?
    }

    package let path: String
    /// The install of the journals; nil if the control file is unreadable.
    package let installID: String?
    /// The error of the control file; nil if it is intact.
    package let controlIssue: String?
    /// The rings, by name.
    package let rings: [Ring]

    package static func folder(of database: String) -> String { JournalFolder.path(of: database) }

    /// Examines the journals of a database; nil if there are none.
    ///
    /// - Parameter seq: The highest number that the database accounts for.
    /// - Throws: ``/EventLog/EventLogError``: `inUse`, `cannotOpen`, `io`.
    package init?(database: String, after seq: Int64) throws {
        let folder = Self.folder(of: database)
        path = folder
        do {
            let names = try JournalFolder.ringNames(folder)
            let control = try? JournalControl.openForReading(folder: folder)  // nil: a finding
            try control?.lock(timeout: JournalControl.readerTimeout)
            defer { control?.unlock() }
            (installID, controlIssue) = Self.identity(control)
            let found = try names.compactMap { name -> (String, JournalRing.Found)? in
                do {
                    return (name, try JournalRing.find(folder: folder, name: name, isWritable: false))
                } catch let error as SystemError where error.code == ENOENT {
                    return nil  // its writer has closed the log meanwhile
                }
            }
            let hasLiving = found.contains { if case .ring(let ring) = $1 { ring.isWriterAlive } else { false } }
            rings = found.map { Self.ring($0, $1, after: seq, scans: !hasLiving) }
        } catch let error as SystemError where error.code == ENOENT {
            return nil
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    private static func identity(_ control: JournalControl?) -> (installID: String?, issue: String?) {
        guard let control else { return (nil, "missing or truncated") }
        guard case .success(let identity) = control.identity else { return (nil, "its header is damaged") }
        guard identity.version <= JournalControl.version else {
            return (nil, "written by a newer version (format \(identity.version))")
        }
        return (control.install?.installID, nil)
    }

    private static func ring(_ name: String, _ found: JournalRing.Found, after seq: Int64, scans: Bool) -> Ring {
        switch found {
        case .ring(let ring): examined(ring, issue: nil, after: seq, scans: scans)
        case .damaged(let ring, let reason): examined(ring, issue: reason, after: seq, scans: scans)
        case .empty:
            Ring(name: name, process: nil, isAlive: false, waiting: 0, issue: "empty file", newerVersion: nil)
        case .truncated(let size):
            Ring(
                name: name, process: nil, isAlive: false, waiting: 0, issue: "truncated to \(size) bytes",
                newerVersion: nil)
        case .newerVersion(let version):
            Ring(name: name, process: nil, isAlive: false, waiting: 0, issue: nil, newerVersion: version)
        }
    }

    private static func examined(_ ring: JournalRing, issue: String?, after seq: Int64, scans: Bool) -> Ring {
        var reader = JournalRingReader(ring, after: seq)
        var waiting = 0
        while let record = reader.next {
            if record.kind == .event { waiting += 1 }
            reader.advance(after: record.seq)
        }
        // If no writer is running, opening the log recovers every intact record, whatever the header states.
        if scans { waiting = JournalScan.records(in: ring, after: seq).count { $0.record.kind == .event } }
        return Ring(
            name: ring.name, process: ring.writer?.pid, isAlive: ring.isWriterAlive, waiting: waiting,
            issue: issue ?? (reader.isDamaged ? "invalid bytes between records" : nil), newerVersion: nil)
    }
}
