import StreamClient

/// A collector: what it stores about installs, and its forwarder.
///
/// | rule | production code |
/// |---|---|
/// | accept, repeat, 409 | `Judge.verdict(on:)`, `StoreCore.store` |
/// | verdicts of the loaders | `EventsRoute.apply`, `EventsRoute.receipt(for:to:)`, `VerdictReader` |
/// | forwarding in the order of receipts, position | `EventForwarder.publish`, `ForwardingPosition.move(to:)` |
struct CollectorModel {
    /// What it knows about an install.
    final class Known {
        let secret: Secret
        var highest: Int64 = 0
        /// Stored lines, in order, with their branch instead of their hash.
        var runs: [(seqs: ClosedRange<Int64>, branch: Int32)] = []
        /// The last accepted batches. The index keeps the ids of all; a device retries only its last one.
        var batches: [UInt64] = []

        init(_ secret: Secret) { self.secret = secret }

        /// The stored lines of other branches, and those of the same branch, among lines.
        func compare(_ lines: [Piece]) -> (duplicates: Ranges, forked: Ranges) {
            guard let first = lines.first, first.seqs.lowerBound <= highest else { return ([], []) }
            var (duplicates, forked): (Ranges, Ranges) = ([], [])
            var index = runs.count
            while index > 0, runs[index - 1].seqs.upperBound >= first.seqs.lowerBound { index -= 1 }
            for run in runs[index...] {
                for piece in lines where piece.seqs.overlaps(run.seqs) {
                    let common = piece.seqs.clamped(to: run.seqs)
                    if piece.branch == run.branch { duplicates.append(common) } else { forked.append(common) }
                }
            }
            return (duplicates, forked)
        }

        func add(_ lines: [Piece], _ batch: Batch) {
            for piece in lines {
                if let last = runs.last, last.branch == piece.branch,
                    last.seqs.upperBound + 1 == piece.seqs.lowerBound
                {
                    runs[runs.count - 1].seqs = last.seqs.lowerBound...piece.seqs.upperBound
                } else if let last = runs.last, last.seqs.upperBound > piece.seqs.lowerBound {
                    let index = runs.firstIndex { $0.seqs.lowerBound > piece.seqs.lowerBound } ?? runs.count
                    runs.insert((piece.seqs, piece.branch), at: index)
                } else {
                    runs.append((piece.seqs, piece.branch))
                }
            }
            highest = max(highest, batch.seqs.upperBound)
            if batches.count >= 8 { batches.removeFirst() }
            batches.append(batch.id)
        }
    }

    /// By the number of the install.
    var known: [Known?] = []
    /// Accepted and not forwarded, in the order of receipts.
    var pending: [Message] = []
    /// Forwarded since the last stored position, which is at most a second old.
    var recent: [(message: Message, time: Microseconds)] = []
    var isForwarding = false
    /// The verdicts it has read.
    var verdicts: [Int: InstallVerdict] = [:]
    var verdictsRead = 0

    /// When it is down or cannot reach the stream.
    var down: WindowCursor
    var cutOff: WindowCursor

    init(_ scenario: Scenario, number: Int) {
        down = WindowCursor(scenario.collectorsDown[number])
        cutOff = WindowCursor(scenario.collectorsCutOff[number])
    }

    subscript(install: Int) -> Known? {
        get { install < known.count ? known[install] : nil }
        set {
            if install >= known.count {
                known.append(contentsOf: repeatElement(nil, count: install + 256 - known.count))
            }
            known[install] = newValue
        }
    }
}

/// An answer to a device.
enum Answer {
    /// No answer, or an error that the device retries.
    case failed
    /// A receipt for the whole batch, and the numbers that it requests.
    case accepted(missing: Ranges)
    /// 409: another device uses the install. The numbers that the collector has with the same bytes.
    case forked(acknowledged: Ranges)
    /// 409: another secret.
    case taken
}
