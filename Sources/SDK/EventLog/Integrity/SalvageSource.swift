internal import Foundation
package import GRDB

/// Opens a damaged database for reading. Repairs the parts that SQLite needs before it can read anything.
///
/// Only reads the damaged file: repairs are made in a copy, which is deleted with this value.
package struct SalvageSource: ~Copyable {
    private let path: String
    private static let pageSize = 4096

    package init(_ path: String) { self.path = path }

    deinit { Self.remove(path + ".salvage-copy") }

    /// Opens the database in the first of these forms that can be read; nil if none can:
    ///
    /// - as it is
    /// - with its length corrected (SQLite rejects a truncated file)
    /// - with a new first page; apart from the fields set here, all logs that were created or rewritten in the same way
    ///   share it
    ///
    /// - Throws: Errors of copying.
    package func open() throws -> DatabaseQueue? {
        let length = Self.length(path)
        // SQLite deletes the -wal file of an empty database, and reads the truncated part of a page as zeros.
        let isWhole = length >= Self.pageSize && length.isMultiple(of: Self.pageSize)
        if isWhole, let database = Self.openReadable(path) { return database }
        guard length > 0 || Self.length(path + "-wal") > 0 else { return nil }
        let copy = path + ".salvage-copy"
        if let database = try opened(copy, Self.head(path), length: length) { return database }
        var best: (page: Data, tables: Int)?
        for form in PageForm.allCases {
            let page = try firstPage(form)
            guard let database = try opened(copy, page, length: length) else { continue }
            // With the first page of the wrong variant, SQLite looks for some tables at the wrong root pages.
            let tables = Self.tables(database)
            if tables == Self.tableChecks.count { return database }
            if tables > best?.tables ?? -1 { best = (page, tables) }
            try database.close()
        }
        return try best.flatMap { try opened(copy, $0.page, length: length) }
    }

    /// The variants of a log's first page.
    private enum PageForm: CaseIterable {
        case new, rewritten
    }

    /// A copy with another first page, if it can be read.
    private func opened(_ copy: String, _ page: Data, length: Int) throws -> DatabaseQueue? {
        guard page.count == Self.pageSize else { return nil }
        Self.remove(copy)
        if length > 0 {
            try FileManager.default.copyItem(atPath: path, toPath: copy)
        } else {
            try Data().write(to: URL(fileURLWithPath: copy))
        }
        if Self.length(path + "-wal") > 0 {
            try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
        }
        try Self.write(page, pages: max(1, length / Self.pageSize), to: copy)
        return Self.openReadable(copy)
    }

    private static func holdsRow(_ database: DatabaseQueue) -> Bool {
        let install = try? database.read { db in  // Nil: the other pages do not belong to a log.
            try String.fetchOne(db, sql: "SELECT install_id FROM log WHERE typeof(install_id) = 'text'")
        }
        return (install ?? nil) != nil
    }

    /// Counts the tables with valid contents. A damaged table does not count, nor does a table that is read from
    /// another table's root.
    private static func tables(_ database: DatabaseQueue) -> Int {
        tableChecks.count { condition in
            // Nil: damaged.
            let isTrue = try? database.read { db in try Bool.fetchOne(db, sql: "SELECT \(condition)") }
            return isTrue == true
        }
    }

    private static let tableChecks = [
        "(SELECT count(*) FROM log WHERE typeof(install_id) = 'text' AND typeof(last_seq) = 'integer') = 1",
        "NOT EXISTS (SELECT 1 FROM consumers WHERE typeof(name) <> 'text' OR typeof(acknowledged) <> 'integer')",
        "ifnull((SELECT length(id) = 16 AND typeof(line) = 'blob' FROM events ORDER BY seq DESC LIMIT 1), 1)",
        "(SELECT count(change) FROM ledger INDEXED BY ledger_changes) = (SELECT count(*) FROM ledger NOT INDEXED)",
        "NOT EXISTS (SELECT 1 FROM answers WHERE typeof(time) <> 'integer' OR typeof(key) <> 'text')",
    ]

    /// Whether a file with a damaged first page holds a log in its other pages.
    ///
    /// - Throws: Errors of copying.
    func holdsLog() throws -> Bool {
        guard Self.length(path) >= 6 * Self.pageSize, let database = try open() else { return false }
        return Self.holdsRow(database)
    }

    /// Describes an error in the length of a database file: it ends inside a page, or before the last page that its
    /// header counts, without a -wal file that could have the rest. SQLite would report this only when it reads that
    /// part, and reads missing bytes of a page as zeros.
    package static func issue(ofLengthOf path: String) -> String? {
        let head = head(path)
        guard head.count >= 100 else { return nil }  // SQLite reports this.
        let size = head[16..<18].reduce(0) { $0 << 8 | Int($1) }
        let pageSize = size == 1 ? 65536 : size
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else { return nil }
        let length = length(path)
        if !length.isMultiple(of: pageSize) { return "the file ends inside a page, after \(length) bytes" }
        let pages = head[28..<32].reduce(0) { $0 << 8 | Int($1) }
        // The page count is valid only if the two change counters are equal.
        guard head[24..<28].elementsEqual(head[92..<96]), Self.length(path + "-wal") == 0, length < pages * pageSize
        else { return nil }
        return "the file ends after \(length / pageSize) of \(pages) pages"
    }

    private static func openReadable(_ path: String) -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        // Nil: it cannot be read in this form.
        guard let database = try? DatabaseQueue(path: path, configuration: configuration),
            (try? database.read { db in try db.tableExists("events") }) == true
        else { return nil }
        return database
    }

    /// The first page of a new log.
    private func firstPage(_ form: PageForm) throws -> Data {
        let template = path + ".salvage-copy"
        Self.remove(template)
        let database = try DatabaseQueue(path: template)
        try database.writeWithoutTransaction { db in
            try VacuumMode.prepareEmpty(db)
            try DatabaseSchema.createIfEmpty(db) { "" }
            if form == .rewritten { try db.execute(sql: "VACUUM") }
        }
        try database.close()
        return Self.head(template)
    }

    private static func head(_ path: String) -> Data { DatabaseFile.head(path, count: pageSize) }

    /// Writes a first page with the file's length and without a freelist.
    private static func write(_ page: Data, pages: Int, to path: String) throws {
        var page = [UInt8](page)
        page.replaceSubrange(28..<40, with: bigEndian(UInt32(clamping: pages)) + bigEndian(0) + bigEndian(0))
        // The page count is valid only if the two change counters are equal.
        page.replaceSubrange(92..<96, with: page[24..<28])
        // WAL mode: write and read versions 2.
        page[18] = 2
        page[19] = 2
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        // The length is that of the copy; SQLite would accept a partial page as a page.
        try handle.truncate(atOffset: UInt64(pages * pageSize))
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: page)
        try handle.close()
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    private static func length(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Removes a copy, with the files that SQLite creates next to it.
    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
