internal import DeliveryProtocol
internal import Foundation

extension FolderErasure {
    /// Searches every file again.
    func search() throws {
        for path in folder.files(.events, RowFile.suffix) {
            try examine(path, as: .lines) { count in
                let found = try userRows.count(try RowFile.read(folder.full(path)))
                count.left += found.left
                count.mentions += found.mentions
            }
        }
        try searchParquet(.parquet, folder.files(.events, ".parquet"), columns: UserRows.texts.map { "\($0)" })
        try searchParquet(
            .numbers, folder.files(.numbers, ".parquet"), columns: ["install_id", "reason", "collector", "batch"])
        for path in others() {
            let top = path.prefix { $0 != "/" }
            let kind: Kind =
                switch top {
                case "numbers": .numbers
                case "manifests", "compactions", "erasures": .records
                default: .others
                }
            try examine(path, as: kind) { count in
                if path.hasSuffix(RowFile.suffix) {
                    try RowFile.read(folder.full(path)).withUnsafeBytes { text in
                        RowFile.forEachRow(text) { if userRows.areMention($1) { count.mentions += 1 } }
                    }
                } else {
                    let data = try Data(contentsOf: URL(fileURLWithPath: folder.full(path)), options: .mappedIfSafe)
                    if data.withUnsafeBytes(userRows.areMention) { count.mentions += 1 }
                }
            }
        }
    }

    private func examine(_ path: String, as kind: Kind, _ body: (inout Count) throws -> Void) throws {
        result.counts[kind, default: Count()].files += 1
        do { try body(&result.counts[kind, default: Count()]) } catch let error as DamagedFile {
            damage(path, error.text)
        }
    }

    /// Counts rows of the user, which only events have, and rows with the id in a column.
    private func searchParquet(_ kind: Kind, _ paths: [String], columns: [String]) throws {
        guard !paths.isEmpty else { return }
        let user = DuckDB.literal(userRows.user)
        var mentions = columns.map { "contains(\($0), \(user))" }
        var isOfUser = "false"
        if kind == .parquet {
            isOfUser = "user_id IS NOT DISTINCT FROM \(user)"
            mentions += userRows.forms.map { "contains(line, \(DuckDB.literal($0)))" }
        }
        let readable = try query(paths) { relation in
            """
            SELECT to_json({file: file, found: count(*) FILTER (\(isOfUser)), mentions: count(*) FILTER (NOT \(isOfUser)
                AND (\(mentions.joined(separator: " OR ")))) }) FROM \(relation) GROUP BY file
            """
        } row: { _, row throws(BatchHeaderError) in
            result.counts[kind, default: Count()].left += try row.whole("found", at: "", from: 0)
            result.counts[kind, default: Count()].mentions += try row.whole("mentions", at: "", from: 0)
        }
        result.counts[kind, default: Count()].files += Int64(readable.count)
    }

    /// The files that have no events, without locks and drafts.
    private func others() -> [String] {
        let searched = Set(
            folder.files(.events, RowFile.suffix) + folder.files(.events, ".parquet")
                + folder.files(.numbers, ".parquet") + [".files.lock", ".maintenance.lock"])
        let all = FileManager.default.enumerator(atPath: folder.root)
        return (all?.compactMap { $0 as? String } ?? []).filter { path in
            var isFolder: ObjCBool = false
            return !searched.contains(path) && !path.hasSuffix(".draft")
                && FileManager.default.fileExists(atPath: folder.full(path), isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}
