internal import Foundation
package import LogMaintenance
internal import Primitives

/// Reads lines in a loader's folder, with the program `duckdb`: JSON lines and, after compaction, Parquet. DuckDB computes
/// the hashes from the raw lines.
package struct DuckDBReader: WarehouseReader {
    private let folder: String
    private let duckdb: DuckDB

    /// - Parameter program: The name or path of DuckDB's command-line program.
    package init(folder: String, program: String = "duckdb") {
        self.folder = folder
        duckdb = DuckDB(program: program)
    }

    package var name: String { folder }

    package func lines(of installs: [String]) throws -> [String: StageLines] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(folder)/events", isDirectory: &isFolder), isFolder.boolValue
        else { throw LoaderError.noLoaderFolder(folder) }
        var rows = LineRows(installs)
        guard
            let source = self.rows(
                of: "events", columns: "install_id: 'VARCHAR', seq: 'UBIGINT', fork: 'VARCHAR', line: 'VARCHAR'",
                "install_id, seq, fork, line")
        else { return rows.finish() }
        // The program has no parameters. Clients choose the ids, so the SQL has only digits of them.
        let wanted = installs.enumerated().map { "(\($0.offset), decode(unhex('\($0.element.utf8.hexadecimal)')))" }
        let list = "(VALUES \(wanted.joined(separator: ", "))) w(n, id)"
        let pairs = stride(from: 15, through: 1, by: -2).map { "h[\($0):\($0 + 1)]" }.joined(separator: " || ")
        try run(
            """
            SELECT n, seq, ('0x' || \(pairs))::UBIGINT, fork <> '' FROM (
                SELECT n, seq, fork, sha256(line) AS h FROM (\(source)) JOIN \(list) ON install_id = id)
            """
        ) { fields in
            guard fields.count == 4, let index = Int(fields[0]), let seq = Int64(fields[1]),
                let hash = UInt64(fields[2])
            else { return false }
            rows.add(install: index, seq: seq, hash: hash, isFork: fields[3] == "true")
            return true
        }
        if let source = self.rows(
            of: "numbers", columns: "install_id: 'VARCHAR', first: 'UBIGINT', last: 'UBIGINT', fate: 'VARCHAR'",
            "install_id, first, last, fate")
        {
            try run("SELECT n, first, last FROM (\(source)) JOIN \(list) ON install_id = id WHERE fate = 'erased'") {
                fields in
                guard fields.count == 3, let index = Int(fields[0]), let first = Int64(fields[1]),
                    let last = Int64(fields[2]), first <= last
                else { return false }
                rows.addErased(install: index, first...last)
                return true
            }
        }
        return rows.finish()
    }

    /// The rows of a table as SQL; nil without files.
    private func rows(of table: String, columns: String, _ names: String) -> String? {
        let levels = table == "events" ? "*/*/*" : "*/*"
        let path = "\(folder)/\(table)/\(levels)".replacing("'", with: "''")
        var parts: [String] = []
        let (hasLines, hasParquet) = found(table)
        if hasLines {
            parts.append(
                "SELECT \(names) FROM read_json('\(path).jsonl.zst', format = 'newline_delimited', columns = {\(columns)})"
            )
        }
        if hasParquet { parts.append("SELECT \(names) FROM read_parquet('\(path).parquet')") }
        return parts.isEmpty ? nil : parts.joined(separator: " UNION ALL ")
    }

    private func found(_ table: String) -> (lines: Bool, parquet: Bool) {
        guard let files = FileManager.default.enumerator(atPath: "\(folder)/\(table)") else {
            return (false, false)
        }
        var lines = false
        var parquet = false
        for case let name as String in files {
            if name.hasSuffix(".jsonl.zst") { lines = true }
            if name.hasSuffix(".parquet") { parquet = true }
            if lines, parquet { break }
        }
        return (lines, parquet)
    }

    /// Runs a query, and calls `row` with the fields of each row.
    private func run(_ query: String, _ row: ([Substring]) -> Bool) throws {
        let bytes: [UInt8]
        do { bytes = try duckdb.run(query, mode: .csv) } catch let error as DuckDB.Failure {
            throw LoaderError(.unavailable, "\(duckdb.program) cannot read \(folder): \(error.text)")
        }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = String(decoding: line, as: UTF8.self).split(separator: ",")
            guard row(fields) else {
                throw LoaderError(.rejected, "\(duckdb.program): unexpected output for \(folder)")
            }
        }
    }
}
