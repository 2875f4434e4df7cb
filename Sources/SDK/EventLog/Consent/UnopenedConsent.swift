package import EventModel
internal import Foundation
import GRDB

/// What a log has stored about people's consent, and its identity. Read without creating or changing a file.
package struct UnopenedConsent: Sendable {
    /// Whether there is a log.
    package let hasLog: Bool
    /// The log's identity; nil if there is none, or it is not in the log's files any more.
    package let identity: LogIdentity?
    /// The purposes that the log knows, if they could be read.
    package let purposes: [Purpose]
    /// The number of the last change of consent.
    package let lastNumber: Int64
    private let table: ConsentTable

    /// - Parameter path: The path of the log's database, which need not exist.
    /// - Throws: The error that prevents reading an existing file.
    package init(path: String) throws {
        var table = ConsentTable()
        var purposes: [Purpose] = []
        var identity: LogIdentity?
        var lastNumber: Int64 = 0
        let journals = JournalFolder.path(of: path)
        hasLog = FileManager.default.fileExists(atPath: path)
        // A missing or truncated file: opening the log makes it again, from the database.
        if let control = try? JournalControl.openForReading(folder: journals) {
            identity = control.identities.newest
            lastNumber = Int64(clamping: control.consents.counter.load())
            purposes = control.purposes.all
            table.merge(control.consents.records())
            table.link(control.consents.links)
        }
        // With a write-ahead log, SQLite would create or change a file. The control file exists then, with all records of
        // a device's few people.
        if hasLog, !Self.hasContent(path + "-wal") {
            var configuration = Configuration()
            configuration.readonly = true
            try DatabaseQueue(path: Self.immutable(path), configuration: configuration).unsafeRead { db in
                guard try db.tableExists("consents") else { return }
                try DatabaseSchema.check(db, path: path)
                try Consents.load(into: &table, db)
                purposes += try LogPurposes.all(db).filter { !purposes.contains($0) }
            }
        }
        self.table = table
        self.purposes = purposes
        self.identity = identity
        self.lastNumber = max(lastNumber, table.highestNumber)
    }

    /// A log that can't be read before it is opened.
    package static let unreadable = UnopenedConsent()

    private init() {
        hasLog = true
        identity = nil
        purposes = []
        lastNumber = 0
        table = ConsentTable()
    }

    /// What the log knows about a person; nil if nothing.
    package func record(of subject: ConsentSubject) -> ConsentRecord? {
        table.record(of: ConsentMirror.key(of: subject.person), for: subject.purpose)
    }

    private static func hasContent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// The URI with which SQLite locks nothing and creates no file: <https://www.sqlite.org/uri.html>.
    private static func immutable(_ path: String) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        let absolute = URL(fileURLWithPath: path).path
        return "file:\(absolute.addingPercentEncoding(withAllowedCharacters: allowed) ?? absolute)?immutable=1"
    }
}
