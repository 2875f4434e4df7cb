import EventLog
import Foundation
import GRDB

/// Where a log is: it survives its processes.
protocol LogHome {
    /// Opens the log for a process.
    func open() throws -> any EventStore
    /// Reads what the log has stored, before it is opened.
    func unopened() throws -> @Sendable () throws -> UnopenedConsent
    /// Whether the log has files.
    var hasFiles: Bool { get }
    /// Whether a process may close the log that it opened.
    var closes: Bool { get }
    /// The processes ended without closing their logs.
    mutating func wasKilled(_ logs: [any EventStore]) async throws
    func remove()
}

/// One log in memory, which all processes use. It ends when it is closed.
struct MemoryHome: LogHome {
    let log = InMemoryEventStore(installID: "install")
    let closes = false
    let hasFiles = false
    func open() -> any EventStore { log }
    func unopened() -> @Sendable () throws -> UnopenedConsent { { .unreadable } }
    mutating func wasKilled(_ logs: [any EventStore]) {}
    func remove() {}
}

/// A folder. After a kill, the history continues with a copy of it, as the killed process left it.
struct FolderHome: LogHome {
    private var folder: URL
    let closes = true

    init() throws { folder = try Self.make() }

    private static func make() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("people-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    func open() throws -> any EventStore {
        try SQLiteEventStore(
            path: folder.appendingPathComponent("events.sqlite").path,
            options: .init(installID: { "install" }, retention: .keepAll, maximumPendingBytes: 16 << 20))
    }

    func unopened() -> @Sendable () throws -> UnopenedConsent {
        let path = folder.appendingPathComponent("events.sqlite").path
        return { try UnopenedConsent(path: path) }
    }

    var hasFiles: Bool {
        // A folder that can't be listed has none.
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == false
    }

    mutating func wasKilled(_ logs: [any EventStore]) async throws {
        let former = folder
        folder = try Self.make()
        // With the lock of the database, its files are those of one moment.
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        let path = former.appendingPathComponent("events.sqlite").path
        let copy = { [folder] in
            for name in try FileManager.default.contentsOfDirectory(atPath: former.path) {
                try FileManager.default.copyItem(
                    at: former.appendingPathComponent(name), to: folder.appendingPathComponent(name))
            }
        }
        if FileManager.default.fileExists(atPath: path) {
            try DatabaseQueue(path: path, configuration: configuration).inDatabase { db in
                try db.inTransaction(.immediate) {
                    try copy()
                    return .rollback
                }
            }
        }
        // Only ends threads and closes files; the copy is unaffected.
        for log in logs { try? await log.close() }
        try FileManager.default.removeItem(at: former)
    }

    func remove() {
        // The system removes leftovers in its temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }
}
