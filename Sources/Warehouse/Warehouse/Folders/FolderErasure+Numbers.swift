internal import EventFormats
internal import Foundation
internal import JSONLines
internal import Primitives

extension FolderErasure {
    /// A row of `numbers` without its range.
    private struct Origin: Hashable {
        var installID: String
        var block: String
        var batch: String
        var collector: String
        var receivedAt: String

        var day: String { String(receivedAt.prefix(10)) }
        var order: [String] { [receivedAt, installID, block, batch, collector] }
    }

    private static let erased = "erased"

    /// Adds the numbers that will have no row, unless a row of `numbers` states them as erased.
    func addNumbers(of found: [Found]) throws {
        let known = try erasedNumbers(of: Set(found.flatMap { $0.rows.map(\.installID) }))
        var wanted: [Origin: Set<Int64>] = [:]
        for row in found.flatMap(\.rows) where row.fork.isEmpty && row.seq > 0 {
            guard !NumberRanges.contains(known[row.installID] ?? [], row.seq) else { continue }
            let origin = Origin(
                installID: row.installID, block: row.block, batch: row.batch, collector: row.collector,
                receivedAt: row.receivedAt)
            wanted[origin, default: []].insert(row.seq)
        }
        guard let like = found.first?.path, !wanted.isEmpty else { return }
        let number = nextNumber()
        var changes = try FileChanges(folder, calls)
        var files: [BlockManifest.File] = []
        let days = Dictionary(grouping: wanted.keys, by: \.day).sorted { $0.key < $1.key }
        for (day, origins) in days {
            var text: [UInt8] = []
            var count: Int64 = 0
            for origin in origins.sorted(by: { $0.order.lexicographicallyPrecedes($1.order) }) {
                for range in NumberRanges.ranges(of: wanted[origin, default: []].sorted()) {
                    text += Self.line(of: range, origin) + [UInt8(ascii: "\n")]
                    count += 1
                }
            }
            let path = "numbers/dt=\(day)/erased-\(number)\(RowFile.suffix)"
            let digest = try changes.add(path, try RowFile.compress(text), like: like).digest
            files.append(
                BlockManifest.File(path: path, table: .numbers, rows: count, bytes: digest.bytes, sha256: digest.sha256)
            )
            result.recordedRanges += Int(count)
        }
        try changes.add("erasures/\(number).json", Self.record(number, files), like: like)
        try changes.commit()
    }

    /// The next number of an erasure.
    private func nextNumber() -> Int {
        let names =
            folder.names(in: "erasures")
            + folder.files(.numbers, RowFile.suffix).compactMap { path in
                let name = (path as NSString).lastPathComponent
                return name.hasPrefix("erased-") ? String(name.dropFirst("erased-".count)) : nil
            }
        return 1 + (names.compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0)
    }

    private static func line(of range: ClosedRange<Int64>, _ origin: Origin) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("install_id")
        json.string(origin.installID)
        json.key("first")
        json.integer(range.lowerBound)
        json.key("last")
        json.integer(range.upperBound)
        json.key("fate")
        json.string(Self.erased)
        json.key("reason")
        json.string(Self.erased)
        json.key("received_at")
        json.string(origin.receivedAt)
        json.key("collector")
        json.string(origin.collector)
        json.key("batch")
        json.string(origin.batch)
        json.key("block")
        json.string(origin.block)
        json.endObject()
        return json.bytes
    }

    private static func record(_ number: Int, _ files: [BlockManifest.File]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("erasure")
        json.integer(number)
        json.key("files")
        json.beginArray()
        for file in files { file.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The numbers that `numbers` states as erased, by install.
    private func erasedNumbers(of installs: Set<String>) throws -> [String: [ClosedRange<Int64>]] {
        guard !installs.isEmpty else { return [:] }
        var known: [String: [ClosedRange<Int64>]] = [:]
        func add(_ install: String?, first: Int64?, last: Int64?) {
            guard let install, installs.contains(install), let first, let last, first <= last else { return }
            known[install, default: []].append(first...last)
        }
        var reader = WarehouseRowReader()
        for path in folder.files(.numbers, RowFile.suffix) {
            do {
                try RowFile.read(folder.full(path)).withUnsafeBytes { text in
                    try RowFile.forEachRow(text) { _, bytes in
                        let isRead: Void? = try reader.read(bytes) { row in
                            guard row.text("fate") == Self.erased else { return }
                            add(row.text("install_id"), first: row.number("first"), last: row.number("last"))
                        }
                        guard isRead != nil else { throw DamagedFile.noObject }
                    }
                }
            } catch let error as DamagedFile { damage(path, error.text) }
        }
        try query(folder.files(.numbers, ".parquet")) { relation in
            """
            SELECT to_json({file: file, install_id: install_id, first: first, last: last}) FROM \(relation)
            WHERE fate = 'erased'
            """
        } row: { _, row in
            add(row["install_id"]?.stringValue, first: row["first"]?.integerValue, last: row["last"]?.integerValue)
        }
        return known.mapValues(NumberRanges.union)
    }
}
