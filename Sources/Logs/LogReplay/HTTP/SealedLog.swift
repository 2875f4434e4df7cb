package import DeliveryProtocol
package import EventLog
internal import Primitives

/// An install whose lines can be sent as its own batches, with its secret and the reasons for missing numbers.
/// Numbers are the install's own.
package struct SealedLog: Sendable {
    /// The `install_id` in the lines.
    package let installID: String
    /// 32 hexadecimal digits.
    let secret: String
    /// The numbers in the ledger for all consumers, and of events that may not be delivered because of their users'
    /// consent; sorted and disjoint.
    let missing: [BatchHeader.MissingRange]

    /// Creates a value from its parts.
    package init(installID: String, secret: String, missing: [BatchHeader.MissingRange] = []) {
        self.installID = installID
        self.secret = secret
        self.missing = missing
    }

    /// The reasons of the ledger's numbers in a batch header. If several apply, the first is used.
    private static let reasons: KeyValuePairs<MissingNumbers.Reason, MissingReason> = [
        .erased: .erased, .optedOut: .optedOut, .refused: .refused, .dropped: .dropped, .forked: .forked,
    ]

    /// Reads the installs of a log. Excludes those without a secret, and those whose id was adopted from recorded
    /// events, since another log may deliver under the id.
    ///
    /// - Throws: `EventLogError`.
    package static func all(_ reader: EventLogReader) throws -> [SealedLog] {
        let ledger = try reader.ledgerRanges().filter { $0.consumer == nil }
        let held = try reader.heldNumbers()
        return try reader.generations().filter { $0.secret.utf8.count == 32 && !$0.isAdopted }.map { log in
            var missing: [BatchHeader.MissingRange] = []
            var rest = [log.numbers]
            for (counted, reason) in Self.reasons {
                let ranges = NumberRanges.union(
                    ledger.filter { MissingNumbers.Reason($0.reason) == counted }.compactMap(\.seqs))
                missing += NumberRanges.common(rest, ranges).map {
                    .init($0.lowerBound - log.base...$0.upperBound - log.base, reason)
                }
                rest = NumberRanges.difference(rest, ranges)
            }
            missing += NumberRanges.common(rest, held).map {
                .init($0.lowerBound - log.base...$0.upperBound - log.base, .held)
            }
            return SealedLog(
                installID: log.installID, secret: log.secret,
                missing: missing.sorted { $0.seqs.lowerBound < $1.seqs.lowerBound })
        }
    }

    /// The explained ranges within a range of numbers; nil unless all of the numbers are explained.
    func explanation(of seqs: ClosedRange<Int64>) -> [BatchHeader.MissingRange]? {
        var found: [BatchHeader.MissingRange] = []
        var next = seqs.lowerBound
        var index = self.index(endingFrom: next)
        while index < missing.count, next <= seqs.upperBound, missing[index].seqs.lowerBound <= next {
            let range = missing[index]
            found.append(.init(next...min(range.seqs.upperBound, seqs.upperBound), range.reason))
            next = range.seqs.upperBound + 1
            index += 1
        }
        return next > seqs.upperBound ? found : nil
    }

    /// The explained ranges directly before a number, in order.
    func explained(before seq: Int64) -> [BatchHeader.MissingRange] {
        var found: [BatchHeader.MissingRange] = []
        var end = seq - 1
        var index = self.index(endingFrom: end)
        while index >= 0, index < missing.count, missing[index].seqs.contains(end) {
            found.append(.init(missing[index].seqs.lowerBound...end, missing[index].reason))
            end = missing[index].seqs.lowerBound - 1
            index -= 1
        }
        return found.reversed()
    }

    /// The index of the first explained range that does not end before a number.
    private func index(endingFrom seq: Int64) -> Int {
        var low = 0
        var high = missing.count
        while low < high {
            let middle = low + (high - low) / 2
            if missing[middle].seqs.upperBound < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
