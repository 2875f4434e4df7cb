package import DeliveryProtocol
internal import Primitives

/// Where events go after the collectors.
package enum DeliveryStage: String, Sendable {
    case stream, warehouse
}

/// The lines that a stage has of an install.
package struct StageLines: Sendable {
    /// The lines by number, each with its summand of the range hash. Repeated numbers are together.
    package private(set) var lines: [(seq: Int64, hash: UInt64)] = []
    /// The number of lines under another line's number: of a fork.
    package private(set) var forks: Int64 = 0
    /// Numbers that the stage has as erased.
    package var erased: [ClosedRange<Int64>] = []
    private var isSorted = true

    package init() {}

    package mutating func add(_ seq: Int64, _ hash: UInt64) {
        if let last = lines.last, last.seq > seq { isSorted = false }
        lines.append((seq, hash))
    }

    /// Adds a line that the stage has under a fork's id.
    package mutating func addFork() { forks += 1 }

    /// Sorts the lines.
    ///
    /// - Parameter mergesEqual: Whether a line may be there several times, as in a stream: equal lines count once, and other
    ///   lines under the same number count as forks.
    package mutating func finish(mergesEqual: Bool) {
        if !isSorted { lines.sort { $0.seq < $1.seq } }
        isSorted = true
        guard mergesEqual else { return }
        var merged: [(seq: Int64, hash: UInt64)] = []
        merged.reserveCapacity(lines.count)
        var start = 0
        while start < lines.count {
            var end = start
            while end < lines.count, lines[end].seq == lines[start].seq { end += 1 }
            merged.append(lines[start])
            forks += Int64(Set(lines[start..<end].map(\.hash)).count - 1)
            start = end
        }
        lines = merged
    }
}

/// Compares what the collectors have of an install with a later stage.
package struct StageReconciliation: Sendable {
    package let stage: DeliveryStage
    /// The stage's address.
    package let name: String
    package let installID: String
    /// The number of lines.
    package let count: Int64
    /// Stored at the collectors, and not here.
    package private(set) var missing: [ClosedRange<Int64>] = []
    /// Here, and at no collector.
    package private(set) var beyond: [ClosedRange<Int64>] = []
    /// Erased at the collectors, and still here.
    package private(set) var unerased: [ClosedRange<Int64>] = []
    /// Here several times.
    package private(set) var doubled: [ClosedRange<Int64>] = []
    /// Runs of a collector with other bytes here.
    package private(set) var different: [ClosedRange<Int64>] = []
    /// The number of runs with equal hashes.
    package private(set) var equalRuns = 0
    /// Lines under another line's number.
    package let forks: Int64

    /// Whether nothing is lost, doubled or changed, and erased events are gone.
    package var isSound: Bool { isComplete && unerased.isEmpty }

    /// Whether nothing is lost, doubled or changed.
    package var isComplete: Bool { missing.isEmpty && doubled.isEmpty && different.isEmpty }

    /// Compares an install.
    ///
    /// - Parameters:
    ///   - collector: The summary of all collectors; nil if none knows the install.
    ///   - runs: The collectors' hashes, in any order.
    ///   - lines: What the stage has, read after the collectors.
    package init(
        _ stage: DeliveryStage, name: String, installID: String, collector: InstallSummary?, runs: [RangeHash],
        _ lines: StageLines
    ) {
        self.stage = stage
        self.name = name
        self.installID = installID
        forks = lines.forks
        count = Int64(lines.lines.count)
        let present = NumberRanges.ranges(
            of: lines.lines.map(\.seq).reduce(into: []) { if $0.last != $1 { $0.append($1) } })
        let erased = NumberRanges.union((collector?.ranges(.erased) ?? []) + lines.erased)
        let stored = NumberRanges.union((collector?.ranges(.stored) ?? []) + runs.map(\.seqs))
        missing = NumberRanges.difference(NumberRanges.difference(stored, present), erased)
        beyond = NumberRanges.difference(NumberRanges.difference(present, stored), erased)
        unerased = NumberRanges.common(present, NumberRanges.union(collector?.ranges(.erased) ?? []))
        doubled = NumberRanges.ranges(of: Self.repeated(lines.lines))
        let sums = Sums(lines.lines)
        for run in Set(runs.map { Run(seqs: $0.seqs, hash: $0.hash) }) {
            // An incomplete run is missing or erased in part, which is reported above.
            guard let hash = sums.hash(of: run.seqs) else { continue }
            if hash == run.hash { equalRuns += 1 } else { different.append(run.seqs) }
        }
        different = NumberRanges.union(different)
    }

    private struct Run: Hashable {
        var seqs: ClosedRange<Int64>
        var hash: UInt64
    }

    private static func repeated(_ lines: [(seq: Int64, hash: UInt64)]) -> [Int64] {
        var repeated: [Int64] = []
        for (line, next) in zip(lines, lines.dropFirst()) where line.seq == next.seq && repeated.last != line.seq {
            repeated.append(line.seq)
        }
        return repeated
    }

    /// Hashes of ranges by subtraction.
    private struct Sums {
        private var seqs: [Int64] = []
        /// The sum of the hashes before each line, and of all.
        private var sums: [UInt64] = [0]

        /// Of repeated numbers, the first line counts.
        init(_ lines: [(seq: Int64, hash: UInt64)]) {
            for line in lines where seqs.last != line.seq {
                seqs.append(line.seq)
                sums.append(sums[sums.count - 1] &+ line.hash)
            }
        }

        /// The hash of a range; nil if a number is missing.
        func hash(of range: ClosedRange<Int64>) -> UInt64? {
            let first = index(of: range.lowerBound)
            let last = first + Int(range.upperBound - range.lowerBound)
            guard last < seqs.count, seqs[first] == range.lowerBound, seqs[last] == range.upperBound else { return nil }
            return sums[last + 1] &- sums[first]
        }

        /// The index of the first number that is not lower.
        private func index(of seq: Int64) -> Int {
            var low = 0
            var high = seqs.count
            while low < high {
                let middle = low + (high - low) / 2
                if seqs[middle] < seq { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
