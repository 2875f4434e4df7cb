internal import Foundation
package import GRDB
internal import JSONLines
internal import Primitives
package import StreamClient

/// What the batches of all collectors say about the numbers of installs, in a transaction; and the verdicts that follow.
package struct InstallAccounts {
    private let db: Database

    package init(_ db: Database) { self.db = db }

    /// Numbers that no batch has accounted for.
    package struct Gap {
        package var seqs: ClosedRange<Int64>
        /// When it was noticed, in microseconds since 1970.
        var since: Int64
    }

    package struct Account {
        /// The highest number of a batch.
        package var highest: Int64
        /// The numbers that batches have accounted for.
        package var ranges: [ClosedRange<Int64>]
        /// The other numbers up to ``highest``.
        package var gaps: [Gap]
    }

    /// Adds the numbers of messages. Their installs must have rows. Reads and writes each install once, because an install
    /// may have many ranges.
    ///
    /// - Returns: The accounts of the installs, without those of imports.
    @discardableResult
    package func add(_ messages: [StreamMessage], at now: Int64) throws -> [String: Account] {
        // Imports have numbers of other logs, and no device answers for them.
        let messages = messages.filter { $0.seqs != nil }
        var accounts: [String: Account] = [:]
        for (installID, messages) in Dictionary(grouping: messages, by: \.installID) {
            accounts[installID] = try add(messages, of: installID, at: now)
        }
        return accounts
    }

    private func add(_ messages: [StreamMessage], of installID: String, at now: Int64) throws -> Account? {
        guard let row = try self.row(of: installID) else { return nil }
        let install: Int64 = row[Column.id]
        let known = try (row[Column.ranges] as String?).map(Self.ranges) ?? []
        let highest = messages.compactMap(\.seqs?.upperBound).reduce(row[Column.highest] ?? 0, max)
        let ranges = NumberRanges.union(known + messages.flatMap { $0.numbers + $0.absent.map(\.seqs) })
        let before = try (row[Column.gaps] as String?).map(Self.gaps) ?? []
        let gaps = Self.dated(NumberRanges.difference([1...highest], ranges), like: before, at: now)
        try db.cachedStatement(
            sql: """
                INSERT INTO accounts (install, highest, ranges, gaps, oldest_gap) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (install) DO UPDATE SET highest = excluded.highest, ranges = excluded.ranges,
                    gaps = excluded.gaps, oldest_gap = excluded.oldest_gap
                """
        ).execute(arguments: [
            install, highest, Self.text(ranges), Self.text(gaps), gaps.map(\.since).min(),
        ])
        let secret: Data = row[Column.secretHash]
        if !row[Column.hasOtherSecret],
            messages.contains(where: { !$0.secretHash.isEmpty && Data($0.secretHash) != secret })
        {
            try db.execute(sql: "UPDATE installs SET has_other_secret = 1 WHERE id = ?", arguments: [install])
        }
        return Account(highest: highest, ranges: ranges, gaps: gaps)
    }

    /// Gives each range the earliest time of the former gaps that overlap it. Both are in order. Complexity: linear.
    private static func dated(_ ranges: [ClosedRange<Int64>], like former: [Gap], at now: Int64) -> [Gap] {
        var rest = former[...]
        return ranges.map { range in
            rest = rest.drop { $0.seqs.upperBound < range.lowerBound }
            let overlapping = rest.prefix { $0.seqs.lowerBound <= range.upperBound }
            return Gap(seqs: range, since: overlapping.map(\.since).min() ?? now)
        }
    }

    /// Makes the verdicts about installs.
    package func settle(_ installs: Set<String>, at now: Int64, gapAge: Duration) throws {
        for installID in installs.sorted() {
            try settle(installID, at: now, gapAge)
        }
    }

    /// Makes the verdicts about installs with gaps that have become old: at most 1,000 installs, those that wait longest.
    /// The next call makes those of the next installs.
    package func settleOldGaps(at now: Int64, gapAge: Duration) throws {
        let limit = now - Self.microseconds(gapAge)
        let installs = try String.fetchAll(
            db,
            sql: """
                SELECT i.install FROM accounts a JOIN installs i ON i.id = a.install
                WHERE a.oldest_gap <= ? ORDER BY a.oldest_gap LIMIT 1000
                """, arguments: [limit])
        for installID in installs { try settle(installID, at: now, gapAge) }
    }

    private func settle(_ installID: String, at now: Int64, _ gapAge: Duration) throws {
        guard let row = try self.row(of: installID) else { return }
        let install: Int64 = row[Column.id]
        var verdict = InstallVerdict(installID: installID)
        let gaps = try (row[Column.gaps] as String?).map(Self.gaps) ?? []
        let limit = now - Self.microseconds(gapAge)
        verdict.missing = Array(gaps.lazy.filter { $0.since <= limit }.map(\.seqs).prefix(InstallVerdict.maximumRanges))
        let next = gaps.map(\.since).filter { $0 > limit }.min()
        if row[Column.oldestGap] != next {
            try db.cachedStatement(sql: "UPDATE accounts SET oldest_gap = ? WHERE install = ?")
                .execute(arguments: [next, install])
        }
        if row[Column.hasForks] {
            let numbers = try Int64.fetchAll(
                db.cachedStatement(sql: "SELECT DISTINCT seq FROM forks WHERE install = ? ORDER BY seq LIMIT 100000"),
                arguments: [install])
            verdict.forked = Array(NumberRanges.ranges(of: numbers).prefix(InstallVerdict.maximumRanges))
        }
        if row[Column.hasOtherSecret] { verdict.secretHash = Array(row[Column.secretHash] as Data) }
        let former: Data? = row[Column.payload]
        let payload = Data(verdict.payload)
        guard former != payload, former != nil || !verdict.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO verdicts (install, payload, is_published) VALUES (?, ?, 0)
                ON CONFLICT (install) DO UPDATE SET payload = excluded.payload, is_published = 0
                """
        ).execute(arguments: [install, payload])
    }

    /// The verdicts that the stream does not have yet, by the id of their rows.
    package func unpublishedVerdicts() throws -> [(id: Int64, verdict: InstallVerdict)] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT install, payload FROM verdicts WHERE is_published = 0 LIMIT 256")
        ).map { row in (row[0], try InstallVerdict(payload: Array(row[1] as Data))) }
    }

    /// Notes that the stream has verdicts.
    package func published(_ verdicts: [(id: Int64, verdict: InstallVerdict)]) throws {
        for (id, verdict) in verdicts {
            // A newer one may have replaced it.
            try db.cachedStatement(
                sql: "UPDATE verdicts SET is_published = 1 WHERE install = ? AND payload = ?"
            ).execute(arguments: [id, Data(verdict.payload)])
        }
    }

    /// The columns of ``row(of:)``.
    private enum Column {
        static let (id, secretHash, hasOtherSecret) = (0, 1, 2)
        static let (highest, ranges, gaps, oldestGap) = (3, 4, 5, 6)
        static let (payload, hasForks) = (7, 8)
    }

    /// Everything about an install; nil if it is unknown.
    private func row(of installID: String) throws -> Row? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT i.id, i.secret_hash, i.has_other_secret, a.highest, a.ranges, a.gaps, a.oldest_gap,
                        v.payload, EXISTS (SELECT 1 FROM forks f WHERE f.install = i.id)
                    FROM installs i LEFT JOIN accounts a ON a.install = i.id LEFT JOIN verdicts v ON v.install = i.id
                    WHERE i.install = ?
                    """), arguments: [installID])
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    }

    private static func text(_ ranges: [ClosedRange<Int64>]) -> String {
        text(ranges.map { [$0.lowerBound, $0.upperBound] })
    }

    private static func text(_ gaps: [Gap]) -> String {
        text(gaps.map { [$0.seqs.lowerBound, $0.seqs.upperBound, $0.since] })
    }

    private static func text(_ rows: [[Int64]]) -> String {
        "[" + rows.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }.joined(separator: ",") + "]"
    }

    private static func ranges(_ text: String) throws -> [ClosedRange<Int64>] {
        try rows(text, count: 2).map { $0[0]...$0[1] }
    }

    private static func gaps(_ text: String) throws -> [Gap] {
        try rows(text, count: 3).map { Gap(seqs: $0[0]...$0[1], since: $0[2]) }
    }

    private static func rows(_ text: String, count: Int) throws -> [[Int64]] {
        guard case .array(let elements) = try JSONParser.parse(Array(text.utf8)) else { return [] }
        return elements.compactMap { element in
            guard case .array(let numbers) = element else { return nil }
            let row = numbers.compactMap(\.integerValue)
            return row.count == count && row[0] <= row[1] ? row : nil
        }
    }
}
