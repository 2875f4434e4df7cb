internal import EventLog

/// The numbers of an install that its ledger accounts for.
struct NumberAccount {
    let installID: String
    /// In order, none touching the next.
    private(set) var ranges: [ClosedRange<Int64>] = []

    /// - Parameter consumer: Whose losses count beside those that are in nobody's reach; nil for nobody's.
    init(installID: String, _ ledger: [ExaminedDrops], consumer: (String) -> Bool = { _ in false }) {
        self.installID = installID
        let seqs = ledger.filter { $0.consumer.map(consumer) ?? true }.compactMap(\.seqs)
        for range in seqs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound &+ 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// Whether a number is accounted for.
    func contains(_ seq: Int64) -> Bool {
        let index = firstRange(endingAtOrAfter: seq)
        return index < ranges.count && ranges[index].contains(seq)
    }

    /// What is not accounted for of some numbers.
    func missing(of seqs: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        var missing: [ClosedRange<Int64>] = []
        var next = seqs.lowerBound
        for range in ranges[firstRange(endingAtOrAfter: next)...] where next <= seqs.upperBound {
            if range.lowerBound > seqs.upperBound { break }
            if range.lowerBound > next { missing.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= seqs.upperBound { missing.append(next...seqs.upperBound) }
        return missing
    }

    private func firstRange(endingAtOrAfter seq: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
