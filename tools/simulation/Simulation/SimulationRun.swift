import Primitives

/// A run of all partitions.
struct SimulationRun: Sendable {
    let settings: Settings
    var statistics = Statistics()
    var checks = Checks()
    /// The first violation of each partition, in the order of virtual time.
    var violations: [Violation] = []
    var wallTime: Duration = .zero
    /// The highest ratio of requests in a period after an outage to the mean, and to the bound.
    var peakRatio = 0.0
    var peakShare = 0.0

    private struct PartitionResult: Sendable {
        var statistics: Statistics
        var checks: Checks
        var violation: Violation?
    }

    /// Simulates all partitions, as many at the same time as there are cores.
    ///
    /// - Parameter onlyFirst: Whether partitions end at the time of the first violation in any of them: only the first element of
    ///   ``violations`` is then the same in each run.
    init(_ settings: Settings, onlyFirst: Bool = false) async throws {
        self.settings = settings
        let scenario = Scenario(settings)
        let earliest = Locked(scenario.drained)
        let start = ContinuousClock.now
        let results = try await withThrowingTaskGroup(of: (Int, PartitionResult).self) { group in
            for partition in 0..<settings.partitions {
                group.addTask {
                    let simulation = try PartitionSimulation(settings, scenario, partition: partition)
                    let violation = try simulation.run {
                        onlyFirst ? earliest.withLock { $0 } : scenario.drained
                    }
                    if let violation { earliest.withLock { $0 = min($0, violation.time) } }
                    return (
                        partition,
                        PartitionResult(
                            statistics: simulation.statistics, checks: simulation.ranges.checks,
                            violation: violation)
                    )
                }
            }
            var results: [(Int, PartitionResult)] = []
            for try await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
        for result in results {
            statistics.add(result.statistics)
            checks.add(result.checks)
            if let violation = result.violation { violations.append(violation) }
        }
        // A partition that stopped early sent too few requests.
        if violations.isEmpty { checkRate(scenario) }
        violations.sort { $0.time < $1.time }
        wallTime = ContinuousClock.now - start
    }

    private mutating func checkRate(_ scenario: Scenario) {
        let mean =
            Double(statistics.requests) * Double(RequestRate.period) / Double(scenario.end - Microseconds.start)
        for (outage, waiting) in statistics.waitingDevices.enumerated() {
            let bound = RequestRate.bound(waiting: waiting, meanPerPeriod: mean)
            for (slot, count) in statistics.afterOutage[outage].enumerated() {
                checks.count(.boundedRate)
                peakRatio = max(peakRatio, Double(count) / mean)
                peakShare = max(peakShare, Double(count) / bound)
                guard Double(count) > bound else { continue }
                violations.append(
                    Violation(
                        invariant: .boundedRate,
                        time: scenario.allDown[outage].end + Int64(slot) * RequestRate.period, partition: -1,
                        install: "",
                        detail: "\(count) requests in 10 s after the outage, at most \(Int(bound)) with jitter"))
                break
            }
        }
    }
}
