import Foundation
import Primitives
import StreamClient

/// Simulates the installs of one partition. Partitions share nothing but the outages, so that they run in parallel and give
/// the same results on any number of cores.
final class PartitionSimulation {
    let settings: Settings
    let scenario: Scenario
    let partition: Int
    var random: SplitMix64
    var agenda = Agenda()
    var now: Microseconds = .start
    var ranges: CheckedRanges
    var statistics = Statistics()

    var installs: [Install] = []
    var installNumbers: [String: Int] = [:]
    var devices: [Device] = []
    var requests: [Request] = []
    var freeRequests: [Int] = []
    var lastRequest: UInt32 = 0
    var collectors: [CollectorModel] = []
    var lastForwardingPositions: [Microseconds]
    var stream = StreamModel()
    var streamDown: WindowCursor
    var loader: LoaderModel
    var loaderDown: WindowCursor
    var verdictLog: [(time: Microseconds, install: Int, verdict: InstallVerdict)] = []
    /// Installs with missing numbers that the published verdict may not request yet.
    var unrequested: Set<Int> = []
    var openGaps: Set<Int> = []
    var nextGapCheck: Microseconds = .start

    var fault: Fault? { settings.fault }

    init(_ settings: Settings, _ scenario: Scenario, partition: Int) throws {
        (self.settings, self.scenario, self.partition) = (settings, scenario, partition)
        random = SplitMix64(seed: SplitMix64.mixed(settings.seed &* 1_000_003 &+ UInt64(partition)))
        ranges = CheckedRanges(settings.fault)
        collectors = (0..<settings.collectors).map { CollectorModel(scenario, number: $0) }
        lastForwardingPositions = Array(repeating: .start, count: settings.collectors)
        streamDown = WindowCursor(scenario.streamDown)
        loaderDown = WindowCursor(scenario.loaderDown)
        loader = try LoaderModel()
        statistics.waitingDevices = Array(repeating: 0, count: scenario.allDown.count)
        statistics.afterOutage = scenario.allDown.map { _ in Array(repeating: 0, count: RequestRate.periods) }
    }

    /// Runs until a time, or to the end.
    ///
    /// - Returns: The first violation of an invariant; nil if there is none.
    func run(until deadline: () -> Microseconds) throws -> Violation? {
        do {
            makeDevices()
            for (collector, windows) in scenario.collectorsDown.enumerated() {
                for window in windows { agenda.add(.restart, collector, at: window.end) }
            }
            for (index, push) in scenario.pushes.enumerated() { agenda.add(.push, -1 - index, at: push) }
            for (index, outage) in scenario.allDown.enumerated() { agenda.add(.sweep, index, at: outage.end) }
            for day in 1...settings.days { agenda.add(.sweep, -1, at: .start + Int64(day) * .day) }
            agenda.add(.load, at: now + LoaderModel.interval)
            while let next = agenda.next(), next.time <= deadline() {
                now = next.time
                try handle(next)
            }
            // In a run that ended early, events are still on their way.
            if deadline() >= scenario.drained { try finish() }
            return nil
        } catch let violation as Violation {
            return violation
        } catch CheckedRanges.Failure.notNormal(let ranges) {
            return violation(.normalRanges, nil, "\(ranges)")
        } catch CheckedRanges.Failure.notConserved(let operation, let left, let right, _) {
            return violation(.conservedCounts, nil, "\(operation) of \(left) and \(right)")
        }
    }

    private func handle(_ appointment: Appointment) throws {
        let subject = Int(appointment.subject)
        switch appointment.kind {
        case .session: try session(devices[subject])
        case .wake: try wake(devices[subject])
        case .arrival: try arrival(subject)
        case .answer: try answer(subject)
        case .forward: try forward(subject)
        case .restart: try restart(subject)
        case .load: try load()
        case .push where subject < 0: push()
        case .push: try open(devices[subject])
        case .sweep where subject < 0: try sweep()
        case .sweep: statistics.waitingDevices[subject] = Int64(devices.count { $0.hasWake })
        }
    }

    func violation(_ invariant: Invariant, _ install: Install?, _ detail: String) -> Violation {
        Violation(invariant: invariant, time: now, partition: partition, install: install?.id ?? "", detail: detail)
    }

    /// Checks a condition.
    @inline(__always)
    func check(
        _ condition: Bool, _ invariant: Invariant, _ install: Install?, _ detail: @autoclosure () -> String
    ) throws {
        ranges.checks.count(invariant)
        guard condition else { throw violation(invariant, install, detail()) }
    }

    /// Checks that each acknowledged event of an install is somewhere.
    func checkAcknowledged(_ install: Install) throws {
        for (index, branch) in install.branches.enumerated() {
            ranges.checks.count(.acknowledgedIsKept)
            guard !branch.unstored.isEmpty else { continue }
            var kept: Ranges = []
            for message in install.inFlight where message.isAtCollector || message.isInStream {
                for piece in message.lines where Int(piece.branch) == index { kept.append(piece.seqs) }
            }
            let missing = try ranges.difference(branch.unstored, NumberRanges.union(kept))
            guard missing.isEmpty else {
                throw violation(.acknowledgedIsKept, install, "\(missing) of device \(index) are nowhere")
            }
        }
    }

    private func sweep() throws { for install in installs { try checkAcknowledged(install) } }

    func happens(_ probability: Double) -> Bool { Double(random.next() >> 11) * 0x1p-53 < probability }

    func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }

    func uniform(_ range: ClosedRange<Microseconds>) -> Microseconds {
        range.lowerBound + Int64(random.below(UInt64(range.upperBound - range.lowerBound + 1)))
    }

    /// A duration with an exponential distribution.
    func exponential(mean: Double) -> Microseconds { Int64(-mean * log(max(uniform(), 1e-12))) }

    /// The time of a request or an answer on its way.
    func latency() -> Microseconds { 30 * .millisecond + min(20 * .second, exponential(mean: 200e3)) }
}
