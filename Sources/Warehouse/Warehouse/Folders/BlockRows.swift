internal import DeliveryProtocol
internal import EventFormats
internal import JSONLines
internal import Primitives

/// Counts and hashes the rows of blocks, to compare them with manifests.
struct BlockRows {
    private struct Key: Hashable {
        var block: String
        var installID: String
        var fork: String
    }

    private struct Tally {
        var count: Int64 = 0
        var hash: UInt64 = 0
        var seqs: Set<Int64> = []
        var ranges: [ClosedRange<Int64>] = []
    }

    private var tallies: [Key: Tally] = [:]
    private var reader = WarehouseRowReader()

    /// Adds the rows of a file of lines.
    ///
    /// - Throws: ``DamagedFile``.
    mutating func add(_ text: [UInt8]) throws {
        try text.withUnsafeBytes { text in
            try RowFile.forEachRow(text) { _, bytes in
                let isAdded: Void? = try reader.read(bytes) { row in
                    guard let block = row.text("block"), let id = row.text("install_id"), let fork = row.text("fork"),
                        let seq = row.number("seq"), let hash = row.withText("line", LineDigest.summand)
                    else { throw DamagedFile("has a row without some columns") }
                    var tally = tallies.removeValue(forKey: Key(block: block, installID: id, fork: fork)) ?? Tally()
                    tally.count += 1
                    tally.hash &+= hash
                    tally.seqs.insert(seq)
                    tallies[Key(block: block, installID: id, fork: fork)] = tally
                }
                guard isAdded != nil else { throw DamagedFile.noObject }
            }
        }
    }

    /// SQL that gives one JSON object for each install and fork in blocks of Parquet files.
    static func sql(of files: [String], blocks: some Collection<String>) -> String {
        let list = blocks.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let pairs = stride(from: 15, through: 1, by: -2).map { "digest[\($0):\($0 + 1)]" }.joined(separator: " || ")
        return """
            WITH digests AS (SELECT block, install_id, fork, seq, sha256(line) AS digest
                    FROM \(DuckDB.parquet(files)) WHERE block IN (\(list))),
                islands AS (SELECT DISTINCT block, install_id, fork, seq, CAST(seq AS HUGEINT)
                    - dense_rank() OVER (PARTITION BY block, install_id, fork ORDER BY seq) AS island FROM digests),
                spans AS (SELECT block, install_id, fork, min(seq) AS first, max(seq) AS last FROM islands
                    GROUP BY block, install_id, fork, island),
                numbers AS (SELECT block, install_id, fork, list([first, last] ORDER BY first) AS ranges FROM spans
                    GROUP BY ALL),
                sums AS (SELECT block, install_id, fork, count(*) AS size,
                    CAST(sum(CAST('0x' || \(pairs) AS UBIGINT)) % 18446744073709551616 AS VARCHAR) AS hash
                    FROM digests GROUP BY ALL)
            SELECT to_json({block: block, install_id: install_id, fork: fork, rows: size, hash: hash, ranges: ranges})
            FROM sums JOIN numbers USING (block, install_id, fork)
            """
    }

    /// Adds a row of ``sql(of:blocks:)``.
    ///
    /// - Throws: `BatchHeaderError`, if it is another row.
    mutating func add(_ row: JSONValue) throws(BatchHeaderError) {
        let key = Key(
            block: try row.text("block", at: ""), installID: try row.text("install_id", at: ""),
            fork: try row.text("fork", at: ""))
        guard let hash = UInt64(try row.text("hash", at: "")) else {
            throw BatchHeaderError(pointer: "/hash", reason: "must be a number")
        }
        var tally = tallies[key] ?? Tally()
        tally.count += try row.whole("rows", at: "", from: 0)
        tally.hash &+= hash
        tally.ranges += try row.ranges("ranges")
        tallies[key] = tally
    }

    /// What a manifest states of a block, sorted.
    func installs(of block: String) -> [Block.InstallRows] {
        tallies.filter { $0.key.block == block }.map { key, tally in
            Block.InstallRows(
                installID: key.installID, fork: key.fork,
                ranges: NumberRanges.union(tally.ranges + NumberRanges.ranges(of: tally.seqs.sorted())),
                count: tally.count, hash: tally.hash)
        }.sortedByInstall
    }
}

extension [Block.InstallRows] {
    var sortedByInstall: Self { sorted { ($0.installID, $0.fork) < ($1.installID, $1.fork) } }
}
