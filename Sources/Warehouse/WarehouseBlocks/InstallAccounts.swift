#if NATS
    internal import DeliveryProtocol
    internal import Foundation
    internal import GRDB
    internal import JSONLines
    internal import Primitives
    internal import StreamProtocol

    /// What the batches of all collectors say about the numbers of installs, in a transaction; and the verdicts that follow.
    struct InstallAccounts {
        private let db: Database

        init(_ db: Database) { self.db = db }

        /// Numbers that no batch has accounted for.
        private struct Gap: Equatable {
            var seqs: ClosedRange<Int64>
            /// When it was noticed, in microseconds since 1970.
            var since: Int64
        }

        /// Adds the numbers of a message. Its install must have a row.
        func add(_ message: StreamMessage, at now: Int64) throws {
            // Imports have numbers of other logs, and no device answers for them.
            guard let seqs = message.seqs, let install = try id(message.installID) else { return }
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT highest, ranges, gaps FROM accounts WHERE install = ?"),
                arguments: [install])
            let known = try row.map { try Self.ranges($0[1]) } ?? []
            let highest = max(row?[0] ?? 0, seqs.upperBound)
            let ranges = NumberRanges.union(known + message.numbers + message.absent.map(\.seqs))
            let before = try row.map { try Self.gaps($0[2]) } ?? []
            let gaps = NumberRanges.difference([1...highest], ranges).map { range in
                Gap(seqs: range, since: before.filter { $0.seqs.overlaps(range) }.map(\.since).min() ?? now)
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO accounts (install, highest, ranges, gaps, oldest_gap) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (install) DO UPDATE SET highest = excluded.highest, ranges = excluded.ranges,
                        gaps = excluded.gaps, oldest_gap = excluded.oldest_gap
                    """
            ).execute(arguments: [
                install, highest, Self.text(ranges), Self.text(gaps), gaps.map(\.since).min(),
            ])
            let secret = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT secret_hash, has_other_secret FROM installs WHERE id = ?"),
                arguments: [install])
            guard let secret, secret[1] == 0, !message.secretHash.isEmpty,
                (secret[0] as Data) != Data(message.secretHash)
            else { return }
            try db.execute(sql: "UPDATE installs SET has_other_secret = 1 WHERE id = ?", arguments: [install])
        }

        /// Makes the verdicts about installs.
        func settle(_ installs: Set<String>, at now: Int64, gapAge: Duration) throws {
            for installID in installs.sorted() {
                guard let install = try id(installID) else { continue }
                try settle(install, installID, at: now, gapAge)
            }
        }

        /// Makes the verdicts about installs with gaps that have become old.
        func settleOldGaps(at now: Int64, gapAge: Duration) throws {
            let limit = now - Self.microseconds(gapAge)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT i.id, i.install FROM accounts a JOIN installs i ON i.id = a.install
                    WHERE a.oldest_gap <= ? LIMIT 1000
                    """, arguments: [limit])
            for row in rows { try settle(row[0], row[1], at: now, gapAge) }
        }

        private func settle(_ install: Int64, _ installID: String, at now: Int64, _ gapAge: Duration) throws {
            var verdict = InstallVerdict(installID: installID)
            let gaps = try String.fetchOne(
                db.cachedStatement(sql: "SELECT gaps FROM accounts WHERE install = ?"), arguments: [install])
            let limit = now - Self.microseconds(gapAge)
            verdict.missing = try gaps.map { try Self.gaps($0) }?.filter { $0.since <= limit }.map(\.seqs) ?? []
            verdict.forked = NumberRanges.ranges(
                of: try Int64.fetchAll(
                    db.cachedStatement(
                        sql: "SELECT DISTINCT seq FROM forks WHERE install = ? ORDER BY seq LIMIT 100000"),
                    arguments: [install]))
            let secret = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT secret_hash FROM installs WHERE id = ? AND has_other_secret = 1"),
                arguments: [install])
            verdict.secretHash = secret.map { Array($0) } ?? []
            let former = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT payload FROM verdicts WHERE install = ?"), arguments: [install])
            let payload = Data(verdict.payload)
            guard former != payload, former != nil || !verdict.isEmpty else { return }
            try db.cachedStatement(
                sql: """
                    INSERT INTO verdicts (install, payload, is_published) VALUES (?, ?, 0)
                    ON CONFLICT (install) DO UPDATE SET payload = excluded.payload, is_published = 0
                    """
            ).execute(arguments: [install, payload])
        }

        private func id(_ installID: String) throws -> Int64? {
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT id FROM installs WHERE install = ?"), arguments: [installID])
        }

        private static func microseconds(_ duration: Duration) -> Int64 {
            duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        }

        // MARK: Columns

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
#endif
