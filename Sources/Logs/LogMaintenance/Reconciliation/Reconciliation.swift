package import DeliveryProtocol
internal import Primitives

/// Compares an install's numbers on the device with what a collector says of them: each is in exactly one of ``stored``,
/// ``explained``, ``held``, ``waiting``, ``forked`` and ``unexplained``.
///
/// If several hold: erased > forked for this consumer > stored > refused or dropped > held > still on the device > forked for
/// another consumer.
package struct Reconciliation: Sendable {
    /// The install.
    package let installID: String
    /// Whether the collector knows the install.
    package let isKnown: Bool
    /// The highest number that the device has drawn.
    package let highest: Int64
    /// On the collector's disk.
    package private(set) var stored: [ClosedRange<Int64>] = []
    /// Erased, refused or dropped, by reason.
    package private(set) var explained: [(reason: String, seqs: [ClosedRange<Int64>])] = []
    /// On the device, waiting for their user's consent.
    package private(set) var held: [ClosedRange<Int64>] = []
    /// On the device, and not delivered yet.
    package private(set) var waiting: [ClosedRange<Int64>] = []
    /// Of a generation that a fork has ended, or of a copy that another consumer gets.
    package private(set) var forked: [ClosedRange<Int64>] = []
    /// Neither: lost, as far as both sides know.
    package private(set) var unexplained: [ClosedRange<Int64>] = []
    /// Numbers that the collector has and the device has not drawn: the log is a copy, or was restored from one.
    package let beyond: [ClosedRange<Int64>]
    /// How many runs have the same hash on both sides.
    package private(set) var equalRuns = 0
    /// Runs whose lines are different ones at the collector.
    package private(set) var differentRuns: [ClosedRange<Int64>] = []
    /// How many runs could not be compared: the log no longer has all of their lines, or a fork has moved them.
    package private(set) var uncomparedRuns = 0
    /// Numbers in more than one run: the collector stores them twice.
    package private(set) var repeated: [ClosedRange<Int64>] = []

    /// Whether every number is accounted for, and no line differs.
    package var isSound: Bool { unexplained.isEmpty && differentRuns.isEmpty && repeated.isEmpty }

    /// Compares both sides.
    ///
    /// - Parameters:
    ///   - device: What the log says. Read it first: what was delivered by then is at the collector.
    ///   - collector: What the collector says; nil if it does not know the install.
    ///   - runs: The collector's hashes, in any order.
    package init(_ device: DeviceAccount, collector: InstallSummary?, runs: [RangeHash]) {
        installID = device.installID
        isKnown = collector != nil
        highest = device.highest
        let drawn: [ClosedRange<Int64>] = highest > 0 ? [1...highest] : []
        let known = NumberRanges.union(
            (collector?.numbers.filter { $0.fate == .stored }.map(\.seqs) ?? []) + runs.map(\.seqs))
        // The install of a former generation goes on elsewhere.
        beyond = device.isNewest ? NumberRanges.difference(known, drawn) : []
        classify(device, collector, drawn)
        compare(device, runs, drawn)
    }

    // MARK: Numbers

    private mutating func classify(
        _ device: DeviceAccount, _ collector: InstallSummary?, _ drawn: [ClosedRange<Int64>]
    ) {
        var rest = drawn
        func fates(_ fate: NumberFate) -> [ClosedRange<Int64>] { NumberRanges.union(collector?.ranges(fate) ?? []) }
        func take(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
            let ranges = NumberRanges.union(ranges)
            defer { rest = NumberRanges.difference(rest, ranges) }
            return NumberRanges.common(rest, ranges)
        }
        var explained: [(reason: String, seqs: [ClosedRange<Int64>])] = []
        func explain(_ fate: NumberFate) {
            // The device's own reason says more than the fate at the collector.
            for loss in device.losses where loss.fate == fate { explained.append((loss.reason, take(loss.seqs))) }
            explained.append((fate.name, take(fates(fate))))
        }
        explain(.erased)
        var forked = take(device.forked)
        stored = take(fates(.stored))
        explain(.refused)
        explain(.dropped)
        // What is held at the collector's last word must still be on the device.
        held = take(NumberRanges.common(NumberRanges.union(device.held + fates(.held)), device.lines))
        waiting = take(NumberRanges.common(device.undelivered, device.lines))
        if device.settled < device.highest {
            waiting = NumberRanges.union(waiting + take([device.settled + 1...device.highest]))
        }
        forked += take(fates(.forked))
        // Of another consumer's copies the collector learns with the next batch; a copy that was delivered is stored there.
        if device.covered < device.highest {
            forked += take(NumberRanges.common(device.copies, [device.covered + 1...device.highest]))
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

    // MARK: Lines

    private mutating func compare(_ device: DeviceAccount, _ runs: [RangeHash], _ drawn: [ClosedRange<Int64>]) {
        let hashes = Dictionary(device.hashes.map { ($0.seqs, $0.hash) }, uniquingKeysWith: { first, _ in first })
        var end: Int64 = 0
        for run in runs.sorted(by: { $0.seqs.lowerBound < $1.seqs.lowerBound }) {
            if run.seqs.lowerBound <= end {
                repeated.append(run.seqs.lowerBound...min(end, run.seqs.upperBound))
            }
            end = max(end, run.seqs.upperBound)
            // Another device's lines.
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
