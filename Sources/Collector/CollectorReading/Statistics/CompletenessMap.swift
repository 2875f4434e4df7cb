internal import CollectorStore
internal import GRDB
package import Primitives

/// Which share of the numbers of each day is not explained, for installs or for versions of apps.
package struct CompletenessMap: Equatable, Sendable {
    package enum Grouping: Equatable, Sendable {
        case app
        case install
    }

    /// Numbers by what happened to them.
    package struct Numbers: Equatable, Sendable {
        package internal(set) var all: SaturatingCount = 0
        package internal(set) var held: SaturatingCount = 0
        package internal(set) var missing: SaturatingCount = 0
        /// Explained numbers, by reason.
        package internal(set) var reasons: [String: SaturatingCount] = [:]

        package var stored: SaturatingCount { all - held - missing - reasons.values.sum }

        mutating func add(_ count: SaturatingCount, _ absence: Absence) {
            switch absence.kind {
            case .held: held += count
            case .missing: missing += count
            case .explained: reasons[absence.reason, default: 0] += count
            }
        }

        mutating func add(_ other: Numbers) {
            all += other.all
            held += other.held
            missing += other.missing
            reasons.merge(other.reasons, uniquingKeysWith: +)
        }
    }

    package struct Row: Equatable, Sendable {
        /// The install's id, or the version of the app; empty if its lines do not name it.
        package let name: String
        /// By day since 1970. Days without new numbers are absent.
        package internal(set) var days: [Int: Numbers] = [:]
        package internal(set) var total = Numbers()
    }

    /// The rows with the most missing numbers first, then by name.
    package let rows: [Row]
    /// The number of rows of all pages.
    package let rowCount: Int
    /// Whether explained and missing numbers of further installs are not included, because there are too many
    /// installs with such numbers.
    package let isPartial: Bool
}

extension ArrivalStatistics {
    /// The highest number of installs whose absences are included.
    package static let maximumAbsentInstalls = 20_000

    /// Computes a map. A number belongs to the day on which a batch first accounted for it or for a higher number,
    /// and to the version of the app in that batch.
    ///
    /// May block for the disk: call it from a thread that may block. Complexity: O(spans of the days + ranges of
    /// installs with numbers that are not stored).
    ///
    /// - Parameters:
    ///   - days: Days since 1970.
    ///   - app: Only numbers of this version of an app; nil for all.
    ///   - rows: The rows to return.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func completeness(
        of days: ClosedRange<Int>, by grouping: CompletenessMap.Grouping, app: String? = nil, rows: Range<Int>
    ) throws -> Counted<CompletenessMap> {
        try reading { db in
            let (absences, isPartial) = try store.absences(limit: Self.maximumAbsentInstalls)
            var found: [String: CompletenessMap.Row] = [:]
            let spans = try Row.fetchCursor(
                db,
                sql: """
                    SELECT CAST(i.install AS BLOB), s.first, s.last, s.day, CAST(t.text AS BLOB) FROM spans s
                    JOIN installs i ON i.id = s.install JOIN texts t ON t.id = s.app
                    WHERE s.day BETWEEN ? AND ?\(app == nil ? "" : " AND t.text = CAST(? AS TEXT)")
                    """, arguments: [days.lowerBound, days.upperBound] + (app.map { [ExactText($0)] } ?? []))
            while let span = try spans.next() {
                let install = span.text(0)
                let first: Int64 = span[1]
                let last: Int64 = span[2]
                let day: Int = span[3]
                let name = grouping == .app ? span.text(4) : install
                var numbers = CompletenessMap.Numbers(all: .init(of: first...last))
                if let absent = absences[install] { Self.add(absent, in: first...last, to: &numbers) }
                found[name, default: .init(name: name)].days[day, default: .init()].add(numbers)
                found[name]?.total.add(numbers)
            }
            let sorted = found.values.sorted { left, right in
                (right.total.missing, left.name) < (left.total.missing, right.name)
            }
            return CompletenessMap(
                rows: Array(sorted[rows.clamped(to: sorted.indices)]), rowCount: sorted.count, isPartial: isPartial)
        }
    }

    private static func add(
        _ absences: [Absence], in range: ClosedRange<Int64>, to numbers: inout CompletenessMap.Numbers
    ) {
        // Absences are in order and disjoint: starts with the first one that ends in or after the range.
        var low = absences.startIndex
        var high = absences.endIndex
        while low < high {
            let middle = (low + high) / 2
            if absences[middle].seqs.upperBound < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        for absence in absences[low...] {
            guard absence.seqs.lowerBound <= range.upperBound else { return }
            numbers.add(.init(of: absence.seqs.clamped(to: range)), absence)
        }
    }
}
