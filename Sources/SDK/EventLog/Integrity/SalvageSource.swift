internal import Foundation
package import GRDB

/// Opens a damaged database for reading, by mending what must be whole before SQLite reads anything.
///
/// The damaged file is only read: mending happens in a copy, which goes when this goes.
package struct SalvageSource: ~Copyable {
    private let path: String
    private static let pageSize = 4096

    package init(_ path: String) { self.path = path }

    deinit { Self.remove(path + ".salvage-copy") }

    /// The database, in the first of these forms that can be read: as it is; with its length put right (SQLite refuses
    /// a file that was cut); with a new first page, which is the same in every log that was made, or written anew, in the
    /// same way, but for what is set here. Nil if none can.
    ///
    /// - Throws: Errors of copying.
    package func open() throws -> DatabaseQueue? {
        let length = Self.length(path)
        // SQLite deletes the -wal file of an empty database, and takes what was cut off a page for zeros.
        let isWhole = length >= Self.pageSize && length.isMultiple(of: Self.pageSize)
        if isWhole, let database = Self.openReadable(path) { return database }
        guard length > 0 || Self.length(path + "-wal") > 0 else { return nil }
        let copy = path + ".salvage-copy"
        if let database = try opened(copy, Self.head(path), length: length) { return database }
        var best: (page: Data, tables: Int)?
        for form in PageForm.allCases {
            let page = try firstPage(form)
            guard let database = try opened(copy, page, length: length) else { continue }
            // With the first page of another form some of the tables' roots are looked for elsewhere.
            let tables = Self.tables(database)
            if tables == Self.telling.count { return database }
            if tables > best?.tables ?? -1 { best = (page, tables) }
            try database.close()
        }
        return try best.flatMap { try opened(copy, $0.page, length: length) }
    }

    /// How the first pages of logs differ.
    private enum PageForm: CaseIterable {
        case new, rewritten, former, formerRewritten
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
        let install = try? database.read { db in  // nil: other pages, read as ours, make no such row
            try String.fetchOne(db, sql: "SELECT install_id FROM log WHERE typeof(install_id) = 'text'")
        }
        return (install ?? nil) != nil
    }

    /// How many of some tables hold what they are to: one that is damaged does not, nor does another's root.
    private static func tables(_ database: DatabaseQueue) -> Int {
        telling.count { condition in
            let isTrue = try? database.read { db in try Bool.fetchOne(db, sql: "SELECT \(condition)") }  // nil: damaged
            return isTrue == true
        }
    }

    private static let telling = [
        "(SELECT count(*) FROM log WHERE typeof(install_id) = 'text' AND typeof(last_seq) = 'integer') = 1",
        "NOT EXISTS (SELECT 1 FROM consumers WHERE typeof(name) <> 'text' OR typeof(acknowledged) <> 'integer')",
        "ifnull((SELECT length(id) = 16 AND typeof(line) = 'blob' FROM events ORDER BY seq DESC LIMIT 1), 1)",
    ]

    /// Whether a file whose first page is damaged holds a log behind it.
    ///
    /// - Throws: Errors of copying.
    func holdsLog() throws -> Bool {
        guard Self.length(path) >= 6 * Self.pageSize, let database = try open() else { return false }
        return Self.holdsRow(database)
    }

    /// Says what is wrong with the length of a database file: that it ends inside a page, or before the last page that
    /// its header counts and no -wal file could bring. SQLite would not say so before it comes to that place, and reads
    /// zeros for what is missing of a page.
    package static func issue(ofLengthOf path: String) -> String? {
        let head = head(path)
        guard head.count >= 100 else { return nil }  // SQLite says it
        let size = head[16..<18].reduce(0) { $0 << 8 | Int($1) }
        let pageSize = size == 1 ? 65536 : size
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else { return nil }
        let length = length(path)
        if !length.isMultiple(of: pageSize) { return "it ends inside a page, after \(length) bytes" }
        let pages = head[28..<32].reduce(0) { $0 << 8 | Int($1) }
        // The count holds beside two equal change counters.
        guard head[24..<28].elementsEqual(head[92..<96]), Self.length(path + "-wal") == 0, length < pages * pageSize
        else { return nil }
        return "it ends after \(length / pageSize) of \(pages) pages"
    }

    private static func openReadable(_ path: String) -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        // Nil: not in this form.
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
            if form == .new || form == .rewritten { try VacuumMode.prepareEmpty(db) }
            try DatabaseSchema.migrate(db) { "" }
            if form == .rewritten || form == .formerRewritten { try db.execute(sql: "VACUUM") }
        }
        try database.close()
        return Self.head(template)
    }

    private static func head(_ path: String) -> Data { DatabaseFile.head(path, count: pageSize) }

    /// Writes a first page, with the file's length and without a list of free pages.
    private static func write(_ page: Data, pages: Int, to path: String) throws {
        var page = [UInt8](page)
        page.replaceSubrange(28..<40, with: bigEndian(UInt32(clamping: pages)) + bigEndian(0) + bigEndian(0))
        // The length counts only beside two equal change counters.
        page.replaceSubrange(92..<96, with: page[24..<28])
        (page[18], page[19]) = (2, 2)  // a -wal file belongs to it
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: UInt64(pages * pageSize))  // the copy's: a part of a page would pass for a page
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: page)
        try handle.close()
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    private static func length(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Removes a copy that was made here, with what SQLite puts beside it.
    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
