package import DeliveryProtocol
internal import Primitives

/// Compares an install's numbers on the device with those at a collector. Each number is in exactly one of
/// ``stored``, ``explained``, ``held``, ``waiting``, ``forked`` and ``unexplained``.
///
/// Precedence: erased > forked for this consumer > stored > opted-out > refused or dropped > held > still on the device >
/// forked for another consumer.
package struct Reconciliation: Sendable {
    package let installID: String
    /// Whether the collector knows the install.
    package let isKnown: Bool
    /// The highest number that the device has used.
    package let highest: Int64
    package private(set) var stored: [ClosedRange<Int64>] = []
    /// Those of ``stored`` whose user has opted out: the answer came while they were being delivered, or later.
    package private(set) var deniedLater: [ClosedRange<Int64>] = []
    /// Erased, opted out, refused or dropped, by reason.
    package private(set) var explained: [(reason: String, seqs: [ClosedRange<Int64>])] = []
    /// On the device, waiting for their user's consent.
    package private(set) var held: [ClosedRange<Int64>] = []
    /// On the device, not delivered yet.
    package private(set) var waiting: [ClosedRange<Int64>] = []
    /// Of a generation that a fork has ended, or of a copy for another consumer.
    package private(set) var forked: [ClosedRange<Int64>] = []
    /// None of the others: lost, as far as both sides know.
    package private(set) var unexplained: [ClosedRange<Int64>] = []
    /// Numbers that the collector has, but the device has not used: the log is a copy, or was restored.
    package let beyond: [ClosedRange<Int64>]
    /// The number of runs with equal hashes.
    package private(set) var equalRuns = 0
    /// Runs with different lines at the collector.
    package private(set) var differentRuns: [ClosedRange<Int64>] = []
    /// The number of runs that could not be compared, because the log no longer has all of their lines, or a fork has
    /// moved them.
    package private(set) var uncomparedRuns = 0
    /// Numbers in more than one run, which the collector has stored twice.
    package private(set) var repeated: [ClosedRange<Int64>] = []

    /// Whether every number is accounted for, and no line differs.
    package var isSound: Bool { unexplained.isEmpty && differentRuns.isEmpty && repeated.isEmpty }

    /// Compares both sides.
    ///
    /// - Parameters:
    /// - device: The log's account. Read it first: everything delivered by then is at the collector.
    /// - collector: The collector's summary, or that of all collectors; nil if none knows the install.
    /// - runs: The hashes of each collector, in any order.
    package init(_ device: DeviceAccount, collector: InstallSummary?, runs: [[RangeHash]]) {
        installID = device.installID
        isKnown = collector != nil
        highest = device.highest
        let drawn: [ClosedRange<Int64>] = highest > 0 ? [1...highest] : []
        let known = NumberRanges.union(
            (collector?.numbers.filter { $0.fate == .stored }.map(\.seqs) ?? []) + runs.joined().map(\.seqs))
        // A former generation's install continues elsewhere.
        beyond = device.isNewest ? NumberRanges.difference(known, drawn) : []
        classify(device, collector: collector, drawn: drawn)
        for runs in runs { compare(device, runs: runs, drawn: drawn) }
    }

    private mutating func classify(
        _ device: DeviceAccount, collector: InstallSummary?, drawn: [ClosedRange<Int64>]
    ) {
        var rest = drawn
        func fates(_ fate: NumberFate) -> [ClosedRange<Int64>] { NumberRanges.union(collector?.ranges(fate) ?? []) }
        func extract(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
            let ranges = NumberRanges.union(ranges)
            defer { rest = NumberRanges.difference(rest, ranges) }
            return NumberRanges.common(rest, ranges)
        }
        var explained: [(reason: String, seqs: [ClosedRange<Int64>])] = []
        func explain(_ fate: NumberFate) {
            // The device's reason is more specific than the collector's fate.
            for loss in device.losses where loss.fate == fate { explained.append((loss.reason, extract(loss.seqs))) }
            explained.append((fate.name, extract(fates(fate))))
        }
        explain(.erased)
        var forked = extract(device.forked)
        stored = extract(fates(.stored))
        let denied = NumberRanges.union(device.losses.filter { $0.fate == .optedOut }.flatMap(\.seqs))
        deniedLater = NumberRanges.common(stored, denied)
        explain(.optedOut)
        explain(.refused)
        explain(.dropped)
        // Numbers held at the collector must still be on the device.
        held = extract(NumberRanges.common(NumberRanges.union(device.held + fates(.held)), device.lines))
        waiting = extract(NumberRanges.common(device.undelivered, device.lines))
        if device.settled < device.highest {
            waiting = NumberRanges.union(waiting + extract([device.settled + 1...device.highest]))
        }
        forked += extract(fates(.forked))
        // The collector learns of another consumer's copies with the next batch; it stores delivered copies.
        if device.covered < device.highest {
            forked += extract(NumberRanges.common(device.copies, [device.covered + 1...device.highest]))
        }
        self.forked = NumberRanges.union(forked)
        unexplained = rest
        for (reason, seqs) in explained where !seqs.isEmpty {
            if let index = self.explained.firstIndex(where: { $0.reason == reason }) {
                self.explained[index].seqs = NumberRanges.union(self.explained[index].seqs + seqs)
            } else {
                self.explained.append((reason, seqs))
            }
        }
    }

    private mutating func compare(_ device: DeviceAccount, runs: [RangeHash], drawn: [ClosedRange<Int64>]) {
        let hashes = Dictionary(device.hashes.map { ($0.seqs, $0.hash) }, uniquingKeysWith: { first, _ in first })
        var end: Int64 = 0
        for run in runs.sorted(by: { $0.seqs.lowerBound < $1.seqs.lowerBound }) {
            if run.seqs.lowerBound <= end {
                repeated.append(run.seqs.lowerBound...min(end, run.seqs.upperBound))
            }
            end = max(end, run.seqs.upperBound)
            // Lines of another device.
            guard !NumberRanges.common(drawn, [run.seqs]).isEmpty else { continue }
            let isMoved = !NumberRanges.common(device.forked, [run.seqs]).isEmpty
            guard !isMoved, let hash = hashes[run.seqs] else {
                uncomparedRuns += 1
                continue
            }
            if hash == run.hash { equalRuns += 1 } else { differentRuns.append(run.seqs) }
        }
        repeated = NumberRanges.union(repeated)
    }
}
