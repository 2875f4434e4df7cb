internal import GRDB
internal import GRDBSQLite

/// The index's write connection with its prepared statements. For the writer thread.
///
/// A batch runs about fifteen statements; direct calls of SQLite avoid GRDB's overhead for each.
final class IndexConnection {
    /// A value bound to a statement.
    enum Value {
        case int(Int64)
        case text(String)
        case blob([UInt8])
        case null

        static func int(_ value: Int) -> Value { .int(Int64(value)) }
        static func optional(_ value: Int64?) -> Value { value.map { .int($0) } ?? .null }
    }

    private let connection: OpaquePointer
    private var statements: [UnsafePointer<UInt8>: OpaquePointer] = [:]
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// - Throws: `DatabaseError` if the connection is closed.
    init(_ db: Database) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        self.connection = connection
    }

    deinit { finish() }

    /// Finalizes all statements: a connection with open statements can't be closed.
    func finish() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
    }

    /// Runs a statement that returns no rows.
    func run(_ sql: StaticString, _ arguments: Value...) throws { try run(sql, arguments: arguments) { _ in } }

    var lastRowID: Int64 { sqlite3_last_insert_rowid(connection) }

    /// The result of `body` for the first row; nil if there are no rows.
    func first<Result>(_ sql: StaticString, _ arguments: Value..., body: (IndexRow) throws -> Result) throws
        -> Result?
    {
        var result: Result?
        try run(
            sql, arguments,
            while: { row in
                result = try body(row)
                return false
            })
        return result
    }

    /// Calls `body` with each row.
    func forEach(_ sql: StaticString, _ arguments: Value..., body: (IndexRow) throws -> Void) throws {
        try run(sql, arguments: arguments, body)
    }

    /// Calls `body` with each row until it returns false.
    func each(_ sql: StaticString, _ arguments: Value..., while body: (IndexRow) throws -> Bool) throws {
        try run(sql, arguments, while: body)
    }

    private func run(_ sql: StaticString, arguments: [Value], _ body: (IndexRow) throws -> Void) throws {
        try run(
            sql, arguments,
            while: { row in
                try body(row)
                return true
            })
    }

    private func run(_ sql: StaticString, _ arguments: [Value], while body: (IndexRow) throws -> Bool) throws {
        let statement = try statement(sql)
        defer { sqlite3_reset(statement) }
        for (index, argument) in arguments.enumerated() { try bind(argument, at: CInt(index + 1), of: statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard try body(IndexRow(statement: statement)) else { return }
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    private func bind(_ value: Value, at index: CInt, of statement: OpaquePointer) throws {
        let code =
            switch value {
            case .int(let value): sqlite3_bind_int64(statement, index, value)
            case .null: sqlite3_bind_null(statement, index)
            case .text(var text):
                text.withUTF8 { text in
                    text.withMemoryRebound(to: CChar.self) {
                        // An empty text may have no address, which SQLite would read as null.
                        $0.isEmpty
                            ? sqlite3_bind_text(statement, index, "", 0, Self.copied)
                            : sqlite3_bind_text(statement, index, $0.baseAddress, CInt($0.count), Self.copied)
                    }
                }
            case .blob(let bytes):
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, CInt(bytes.count), Self.copied)
            }
        guard code == SQLITE_OK else { throw error(code) }
    }

    private func statement(_ sql: StaticString) throws -> OpaquePointer {
        if let statement = statements[sql.utf8Start] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
            CInt(sql.utf8CodeUnitCount),
            UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code) }
        statements[sql.utf8Start] = statement
        return statement
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }

    func begin() throws { try run("BEGIN IMMEDIATE") }

    func commit() throws { try run("COMMIT") }

    /// Rolls back the transaction; does nothing if SQLite has rolled it back already.
    func rollback() {
        guard sqlite3_get_autocommit(connection) == 0 else { return }
        try? run("ROLLBACK")  // fails only if SQLite has rolled back by itself
    }

    /// Runs `body` in a savepoint of the open transaction, so that its error undoes only its own changes.
    ///
    /// - Returns: The error, if it concerns only `body`.
    func separately<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
        try run("SAVEPOINT separate")
        do {
            let value = try body()
            try run("RELEASE separate")
            return .success(value)
        } catch {
            guard isOwn(error) else { throw error }
            try run("ROLLBACK TO separate")
            try run("RELEASE separate")
            return .failure(error)
        }
    }

    /// Whether an error concerns only the changes that caused it: the index is not damaged, and SQLite has not rolled back
    /// the open transaction.
    func isOwn(_ error: any Error) -> Bool { !StoreIndex.isDamage(error) && sqlite3_get_autocommit(connection) == 0 }

    /// Runs `body` in a transaction.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }
}

/// A row of a statement; valid until the next row.
struct IndexRow {
    fileprivate let statement: OpaquePointer

    func int(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }

    func optionalInt(_ column: CInt) -> Int64? { isNull(column) ? nil : int(column) }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: CInt) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))),
            as: UTF8.self)
    }

    func blob(_ column: CInt) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
