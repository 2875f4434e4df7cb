import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Logs of a program with format 1 of the journal: 20 events. In the log of the killed program, ten of them are in its
/// ring.
@Suite("A log of the former format")
struct FormerFormatTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func copy(_ name: String) throws {
        let source = try #require(
            Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Resources/Format1"))
        for file in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            try FileManager.default.copyItem(
                at: source.appendingPathComponent(file), to: folder.url.appendingPathComponent(file))
        }
    }

    @Test("opens with all its events, cursors and drops", arguments: [("closed", 10), ("killed", 20)])
    func opens(name: String, count: Int64) async throws {
        try copy(name)
        let store = try folder.open()
        #expect(try await store.all() == (1...count).map { .numbered($0) })
        #expect(try await store.cursor(of: "file").acknowledged == 4)
        let drops = try await store.ledger().map(\.reason)
        #expect(drops == (name == "closed" ? [.encoding] : [.encoding, .runaway]))
        #expect(try store.append().get().seq == count + 1)
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("is rejected and not changed while a program has its database open")
    func inUse() async throws {
        try copy("killed")
        // Like a program of the former version, in any container: a connection in WAL mode.
        let connection = try DatabaseQueue(path: folder.path)
        #expect(try await connection.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM events") } == 10)
        let files = try folder.contents()
        var options = SQLiteEventStore.Options(installID: { "" }, retention: .keepAll)
        options.busyTimeout = .milliseconds(100)
        #expect {
            _ = try SQLiteEventStore(path: folder.path, options: options)
        } throws: { error in
            let error = error as? EventLogError
            return error?.code == .inUse && "\(error, default: "")".contains("older version of this library")
        }
        #expect(try folder.contents() == files)
        try connection.close()
        #expect(try await folder.open().seqs() == Array(1...20))
    }
}

extension LogFolder {
    /// The bytes of every file by name, except for the shared memory of connections.
    fileprivate func contents() throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { !$0.hasSuffix("-shm") }
        return paths.reduce(into: [:]) { contents, path in
            contents[path] = try? Data(contentsOf: url.appendingPathComponent(path))  // nil for a folder
        }
    }
}
