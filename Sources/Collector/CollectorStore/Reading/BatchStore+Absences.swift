internal import DeliveryProtocol
internal import GRDB

extension BatchStore {
    /// The numbers of installs that are not stored, by install. May block for the disk, never for writers.
    ///
    /// Complexity: O(installs + ranges of the installs with such numbers).
    ///
    /// - Parameter limit: The maximum number of installs. Installs with missing numbers come first.
    /// - Returns: The absences of each install in order; and whether there are more installs.
    /// - Throws: ``StoreError`` with `indexFailed`.
    package func absences(limit: Int) throws(StoreError) -> (installs: [String: [Absence]], isPartial: Bool) {
        try reading { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, CAST(install AS BLOB), highest FROM installs i
                    WHERE complete_to < highest OR EXISTS (
                        SELECT 1 FROM numbers n WHERE n.install = i.id AND n.fate <> \(NumberFate.stored.rawValue))
                    ORDER BY complete_to = highest, id LIMIT ?
                    """, arguments: [limit + 1])
            var found: [String: [Absence]] = [:]
            for row in rows.prefix(limit) {
                let id: Int64 = row[0]
                found[row.text(1)] = Absence.all(
                    highest: row[2], try Self.numbers(id, db), try Self.ledger(id, db))
            }
            return (found, rows.count > limit)
        }
    }
}

/// Consecutive numbers of an install that are not stored, for one reason.
package struct Absence: Equatable, Sendable {
    package enum Kind: Sendable {
        /// They will not arrive, and the reason is known.
        case explained
        /// They wait on the device for the user's consent.
        case held
        /// No reason is known. They may still arrive.
        case missing
    }

    package var seqs: ClosedRange<Int64>
    package var kind: Kind
    /// The reason in the ledger; without one, the name of the fate, or `missing`.
    package var reason: String

    package init(_ seqs: ClosedRange<Int64>, _ kind: Kind, reason: String) {
        self.seqs = seqs
        self.kind = kind
        self.reason = reason
    }

    /// The absences among the numbers from 1, in order.
    static func all(
        highest: Int64, _ numbers: [InstallSummary.Numbers], _ ledger: [BatchHeader.LedgerRow]
    ) -> [Absence] {
        let reasons = ledger.compactMap { row in row.seqs.map { (seqs: $0, reason: row.reason) } }
            .sorted { $0.seqs.lowerBound < $1.seqs.lowerBound }
        var absences: [Absence] = []
        var next: Int64 = 1
        for piece in numbers {
            if piece.seqs.lowerBound > next {
                absences.append(Absence(next...piece.seqs.lowerBound - 1, .missing, reason: "missing"))
            }
            next = piece.seqs.upperBound + 1
            switch piece.fate {
            case .stored: break
            case .held: absences.append(Absence(piece.seqs, .held, reason: piece.fate.name))
            case .dropped: absences += dropped(piece.seqs, reasons)
            case .forked, .refused, .optedOut, .erased:
                absences.append(Absence(piece.seqs, .explained, reason: piece.fate.name))
            }
        }
        if next <= highest { absences.append(Absence(next...highest, .missing, reason: "missing")) }
        return absences
    }

    /// Splits dropped numbers by the rows of the ledger.
    static func dropped(
        _ seqs: ClosedRange<Int64>, _ reasons: [(seqs: ClosedRange<Int64>, reason: String)]
    ) -> [Absence] {
        var absences: [Absence] = []
        var next: Int64 = seqs.lowerBound
        for row in reasons where row.seqs.overlaps(seqs) && row.seqs.upperBound >= next {
            let first = max(next, row.seqs.lowerBound)
            if first > next { absences.append(Absence(next...first - 1, .explained, reason: "dropped")) }
            let last = min(row.seqs.upperBound, seqs.upperBound)
            absences.append(Absence(first...last, .explained, reason: row.reason))
            next = last + 1
            if next > seqs.upperBound { break }
        }
        if next <= seqs.upperBound {
            absences.append(Absence(next...seqs.upperBound, .explained, reason: "dropped"))
        }
        return absences
    }
}
