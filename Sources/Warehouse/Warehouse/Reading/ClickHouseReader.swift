internal import JSONLines
package import LogMaintenance

/// Reads lines in ClickHouse. The server computes the hashes from the raw lines.
package struct ClickHouseReader: WarehouseReader {
    private let client: ClickHouseClient
    /// The number of installs in a query.
    private static let installsAtOnce = 50

    package init(_ client: ClickHouseClient) { self.client = client }

    package var name: String { client.name }

    package func lines(of installs: [String]) throws -> [String: StageLines] {
        var found: [String: StageLines] = [:]
        var start = 0
        while start < installs.count {
            let part = Array(installs[start..<min(start + Self.installsAtOnce, installs.count)])
            found.merge(try read(part), uniquingKeysWith: { $1 })
            start += part.count
        }
        return found
    }

    private func read(_ installs: [String]) throws -> [String: StageLines] {
        var rows = LineRows(installs)
        let ids = "[" + installs.map(Self.quoted).joined(separator: ",") + "]"
        let lines = try client.run(
            """
            SELECT indexOf({ids:Array(String)}, install_id), seq,
                toString(reinterpretAsUInt64(substring(SHA256(line), 1, 8))), fork != ''
            FROM events WHERE has({ids:Array(String)}, install_id)
            """, parameters: ["ids": ids])
        for row in lines {
            guard row.count == 4, let index = row[0].integerValue, let seq = row[1].integerValue,
                let hash = row[2].stringValue.flatMap({ UInt64($0) })
            else {
                throw LoaderError(.rejected, "\(name): unexpected row in 'events'; compare 'loader --print-ddl'")
            }
            rows.add(
                install: Int(index) - 1, seq: seq, hash: hash,
                isFork: row[3] != .bool(false) && row[3] != .integer(0))
        }
        let erased = try client.run(
            """
            SELECT indexOf({ids:Array(String)}, install_id), first, last
            FROM numbers WHERE has({ids:Array(String)}, install_id) AND fate = 'erased'
            """, parameters: ["ids": ids])
        for row in erased {
            guard row.count == 3, let index = row[0].integerValue, let first = row[1].integerValue,
                let last = row[2].integerValue, first <= last
            else {
                throw LoaderError(.rejected, "\(name): unexpected row in 'numbers'; compare 'loader --print-ddl'")
            }
            rows.addErased(install: Int(index) - 1, first...last)
        }
        return rows.finish()
    }

    /// A string of an array parameter.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
