import Foundation

/// The text that a run prints.
enum Report {
    static func text(of run: SimulationRun) -> String {
        let statistics = run.statistics
        var lines: [String] = []
        func add(_ name: String, _ value: String) {
            lines.append(name.padding(toLength: 46, withPad: " ", startingAt: 0) + value.leftPadded(to: 16))
        }
        func add(_ name: String, _ value: Int64) { add(name, grouped(value)) }
        func title(_ name: String) { lines.append(contentsOf: ["", name]) }

        title("Input")
        add("seed", "\(run.settings.seed)")
        add("days", Int64(run.settings.days))
        add("devices, with clones", statistics.devices)
        add("installs, with those after 409 or reinstall", statistics.installs)
        add("events", statistics.events)
        add("clones; with another secret", "\(statistics.clones); \(statistics.otherSecrets)")
        add("restored backups", statistics.restores)
        add("reinstalls", statistics.reinstalls)
        add("clock jumps", statistics.clockJumps)

        title("Transport")
        add("batches", statistics.batches)
        add("requests that arrived", statistics.requests)
        add("requests that failed or lost their answer", statistics.failedRequests)
        add("batches that a collector had already", statistics.repeatedBatches)
        add("messages of the stream", statistics.messages)
        add("messages that the stream had already", statistics.streamDuplicates)
        add(
            "blocks; made again after a crash",
            "\(grouped(statistics.blocks)); \(grouped(statistics.repeatedBlocks))")
        add("events in messages", statistics.loadedEvents)
        add("duplicate events removed by the loaders", statistics.duplicates)
        add("rows", statistics.rows)

        title("Copies of logs")
        add("events of forks", statistics.forks)
        add("copied installs reported by verdicts", statistics.copiedInstallsFound)
        add("devices that continued as a new install", statistics.newGenerations)
        add("events copied to a new install", statistics.moved + statistics.copiedAndStored)
        add("of these, also stored under the former one", statistics.copiedAndStored)

        title("Gaps")
        add("missing numbers noticed", statistics.gapsNoticed)
        add("requested", statistics.gapsRequested)
        add("accounted for later", statistics.gapsFilled)
        add("open at the end", statistics.gapsOpen)
        add("verdicts published", statistics.verdicts)

        title("What became of all numbers")
        add(
            "numbers: events, and copies in new installs",
            statistics.events + statistics.moved + statistics.copiedAndStored)
        add("stored", statistics.stored)
        add("rejected by schemas", statistics.rejected)
        add("discarded by devices, with a reason", statistics.discarded)
        add("copied to a new install", statistics.moved)
        add("waiting on devices", statistics.waiting)
        add("lost with devices", statistics.lost)
        add("unexplained", run.violations.isEmpty ? "0" : "not counted")

        title("Requests after outages of all collectors")
        for (index, waiting) in statistics.waitingDevices.enumerated() {
            add("devices waiting for a retry, outage \(index + 1)", waiting)
        }
        add("highest rate of 10 s, relative to the mean", decimal(run.peakRatio))
        add("relative to the bound", decimal(run.peakShare))

        title("Run")
        add("range operations", run.checks.operations)
        add("invariant checks", run.checks.total)
        let messages = Double(max(1, statistics.messages))
        let cost = Double(statistics.loaderTime) / 1000
        add("register and accounts, µs per message", decimal(cost / messages))
        add("register and accounts, µs per event", decimal(cost / Double(max(1, statistics.loadedEvents))))
        add(
            "loader state, bytes per install",
            decimal(Double(statistics.stateBytes) / Double(max(1, statistics.installs))))
        add("loader state, bytes per row", decimal(Double(statistics.stateBytes) / Double(max(1, statistics.rows))))
        add("wall time, s", decimal(run.wallTime / .seconds(1)))
        add("processor time, s", decimal(processorTime()))
        add("peak memory, MiB", decimal(peakMemory()))
        return lines.joined(separator: "\n")
    }

    /// The first violations, and how to repeat them.
    static func text(of violations: [Violation], _ settings: Settings) -> String {
        var lines = violations.prefix(10).map { violation in
            """
            \(violation.time.sinceStart)  \(violation.invariant.name)
                partition \(violation.partition), install \(violation.install): \(violation.detail)
            """
        }
        var command = "repeat it: tools/simulation/run --installs \(settings.installs) --days \(settings.days)"
        command +=
            " --events-per-day \(settings.eventsPerDay) --collectors \(settings.collectors)"
        command += " --partitions \(settings.partitions) --seed \(settings.seed)"
        if let fault = settings.fault { command += " --plant \(fault.rawValue)" }
        lines.append(command)
        return lines.joined(separator: "\n")
    }

    static func grouped(_ number: Int64) -> String {
        var (digits, text) = (Array("\(number)"), "")
        while digits.count > 3 {
            text = "," + String(digits.suffix(3)) + text
            digits.removeLast(3)
        }
        return String(digits) + text
    }

    static func decimal(_ number: Double) -> String { String(format: "%.1f", number) }

    private static func usage() -> rusage {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }

    private static func processorTime() -> Double {
        let usage = usage()
        let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec) + microseconds / 1e6
    }

    private static func peakMemory() -> Double { Double(usage().ru_maxrss) / 1024 }
}

extension String {
    func leftPadded(to length: Int) -> String { String(repeating: " ", count: max(0, length - count)) + self }
}
