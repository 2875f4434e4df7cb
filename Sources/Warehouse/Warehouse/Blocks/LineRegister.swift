internal import Foundation
package import GRDB

/// The stored lines of a partition, in a transaction.
package struct LineRegister {
    /// A line of a message.
    package enum Verdict: Equatable, Sendable {
        case new
        /// The same bytes are stored under this number.
        case duplicate
        /// Other bytes are stored under this number, or bytes whose hash was removed. `isNew`: not these bytes as a fork
        /// either.
        case fork(id: String, isNew: Bool)
    }

    private let db: Database
    /// Saves a query for each message while no hashes were removed.
    private var hasUnhashed: Bool

    package init(_ db: Database) throws {
        self.db = db
        hasUnhashed =
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM unhashed)")) ?? false
    }

    package func install(_ id: String, secretHash: [UInt8]) throws -> Int64 {
        let found = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT id, length(secret_hash) FROM installs WHERE install = ?"),
            arguments: [id])
        guard let found else {
            try db.cachedStatement(sql: "INSERT INTO installs (install, secret_hash) VALUES (?, ?)")
                .execute(arguments: [id, Data(secretHash)])
            return db.lastInsertedRowID
        }
        let install: Int64 = found[0]
        if found[1] == 0, !secretHash.isEmpty {
            try db.execute(
                sql: "UPDATE installs SET secret_hash = ? WHERE id = ?", arguments: [Data(secretHash), install])
        }
        return install
    }

    /// Decides about the lines of a message, and registers the new ones.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the lines, in order.
    ///   - hashes: The summands of the lines; see `RangeHash`.
    ///   - day: The day since 1970 on which a collector received them.
    ///   - fork: The id of a fork that this message may start.
    package func add(
        _ numbers: [ClosedRange<Int64>], _ hashes: [UInt64], of install: Int64, day: Int64, fork: String
    ) throws -> [Verdict] {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        let runs = try runs(of: install, in: first.lowerBound...last.upperBound)
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(hashes.count)
        var run = 0
        var start: (seq: Int64, index: Int)?
        var previous: Int64 = 0
        func close(at index: Int) throws {
            guard let (seq, from) = start else { return }
            start = nil
            try insert(install: install, first: seq, hashes: hashes[from..<index], day: day)
        }
        for (index, seq) in numbers.joined().enumerated() {
            while run < runs.count, runs[run].last < seq { run += 1 }
            guard run < runs.count, runs[run].first <= seq else {
                if seq != previous + 1 { try close(at: index) }
                if start == nil { start = (seq, index) }
                previous = seq
                verdicts.append(.new)
                continue
            }
            try close(at: index)
            previous = seq
            if runs[run].hash(of: seq) == hashes[index] {
                verdicts.append(.duplicate)
            } else {
                verdicts.append(try self.fork(install: install, seq: seq, hash: hashes[index], fork: fork))
            }
        }
        try close(at: hashes.count)
        return verdicts
    }

    private func fork(install: Int64, seq: Int64, hash: UInt64, fork: String) throws -> Verdict {
        let key = Int64(bitPattern: hash)
        let known = try String.fetchOne(
            db.cachedStatement(sql: "SELECT fork FROM forks WHERE install = ? AND seq = ? AND hash = ?"),
            arguments: [install, seq, key])
        if let known { return .fork(id: known, isNew: false) }
        try db.cachedStatement(sql: "INSERT INTO forks (install, seq, hash, fork) VALUES (?, ?, ?, ?)")
            .execute(arguments: [install, seq, key, fork])
        return .fork(id: fork, isNew: true)
    }

    private struct Run {
        var first, last: Int64
        /// Nil if they were removed.
        var hashes: Data?

        func hash(of seq: Int64) -> UInt64? {
            hashes?.withUnsafeBytes {
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8 * Int(seq - first), as: UInt64.self))
            }
        }
    }

    /// The runs that overlap a range, in order, also those without hashes.
    private func runs(of install: Int64, in range: ClosedRange<Int64>) throws -> [Run] {
        let hashed = try overlapping(
            "SELECT first, last, hashes FROM runs WHERE install = ? AND first <= ? ORDER BY first DESC",
            install: install,
            range: range)
        guard hasUnhashed else { return hashed.reversed() }
        return try (hashed + overlapping(Self.unhashedQuery, install: install, range: range)).sorted {
            $0.first < $1.first
        }
    }

    private static let unhashedQuery =
        "SELECT first, last, NULL FROM unhashed WHERE install = ? AND first <= ? ORDER BY first DESC"

    /// - Parameter query: Returns disjoint runs from an upper bound down.
    private func overlapping(_ query: String, install: Int64, range: ClosedRange<Int64>) throws -> [Run] {
        var runs: [Run] = []
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: query), arguments: [install, range.upperBound])
        while let row = try rows.next() {
            let run = Run(first: row[0], last: row[1], hashes: row[2])
            guard run.last >= range.lowerBound else { break }
            runs.append(run)
        }
        return runs
    }

    private func insert(install: Int64, first: Int64, hashes: ArraySlice<UInt64>, day: Int64) throws {
        let bytes = hashes.map(\.littleEndian).withUnsafeBytes { Data($0) }
        try db.cachedStatement(sql: "INSERT INTO runs (install, first, last, hashes, day) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [install, first, first + Int64(hashes.count) - 1, bytes, day])
    }

    /// Removes the hashes of lines that were received before a day; their numbers stay. The oldest first.
    ///
    /// - Parameter limit: The maximum number of runs, so that a block never waits long.
    package mutating func removeHashes(before day: Int64, limit: Int) throws {
        let old = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT install, first, last FROM runs WHERE day < ? ORDER BY day, install, first LIMIT ?"),
            arguments: [day, limit])
        for row in old {
            let install: Int64 = row[0]
            var range: ClosedRange<Int64> = row[1]...row[2]
            try db.cachedStatement(sql: "DELETE FROM runs WHERE install = ? AND first = ?")
                .execute(arguments: [install, range.lowerBound])
            // Ranges that adjoin become one, so that an install needs few rows.
            let neighbours = try overlapping(
                Self.unhashedQuery, install: install, range: range.lowerBound - 1...range.upperBound + 1)
            for neighbour in neighbours {
                try db.cachedStatement(sql: "DELETE FROM unhashed WHERE install = ? AND first = ?")
                    .execute(arguments: [install, neighbour.first])
                range = min(range.lowerBound, neighbour.first)...max(range.upperBound, neighbour.last)
            }
            try db.cachedStatement(sql: "INSERT INTO unhashed (install, first, last) VALUES (?, ?, ?)")
                .execute(arguments: [install, range.lowerBound, range.upperBound])
            hasUnhashed = true
        }
    }
}
