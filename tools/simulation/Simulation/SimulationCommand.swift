import ArgumentParser
import Foundation

/// Simulates the cluster in virtual time, from devices to the store.
@main
struct SimulationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulation",
        abstract: "Simulate devices, collectors, the stream and loaders in virtual time, and check invariants.",
        discussion: """
            Devices go offline, change their clocks, are reinstalled, cloned and restored from backups; requests and answers are
            lost, repeated and reordered; collectors, the stream and loaders fail. The ranges, the loader's register and its
            accounts are production code. Equal seeds give equal results.

            Exit codes: 0 if all invariants hold, 1 if one fails, 64 for wrong options.
            """)

    @Option(help: "Number of devices at the start.")
    var installs = 100_000

    @Option(help: "Number of virtual days, at least 5.")
    var days = 30

    @Option(help: "Mean number of events per device and day.")
    var eventsPerDay = 20.0

    @Option(help: "Number of collectors, 2 to 8.")
    var collectors = 3

    @Option(help: "Number of partitions of the stream, 1 to 256. They are simulated in parallel.")
    var partitions = 16

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    @Option(help: "Plant an error; see --list-faults.")
    var plant: Fault?

    @Flag(help: "Plant each error in a small run; fail unless the expected invariant finds it.")
    var faults = false

    @Flag(help: "List the errors that can be planted.")
    var listFaults = false

    func validate() throws {
        guard installs >= 1, installs <= 10_000_000 else {
            throw ValidationError("--installs must be from 1 to 10,000,000")
        }
        guard (5...366).contains(days) else { throw ValidationError("--days must be from 5 to 366") }
        guard eventsPerDay > 0, eventsPerDay <= 10_000 else {
            throw ValidationError("--events-per-day must be greater than 0, and at most 10,000")
        }
        guard (2...8).contains(collectors) else { throw ValidationError("--collectors must be from 2 to 8") }
        guard (1...256).contains(partitions) else { throw ValidationError("--partitions must be from 1 to 256") }
    }

    func run() async throws {
        if listFaults { return Self.list() }
        if faults { return try await runFaults() }
        let run = try await SimulationRun(settings(installs, days, plant))
        print(Report.text(of: run))
        guard run.violations.isEmpty else {
            print("\nFailed invariants\n" + Report.text(of: run.violations, run.settings))
            throw ExitCode.failure
        }
        print("\nAll invariants hold.")
    }

    private func settings(_ installs: Int, _ days: Int, _ fault: Fault?) -> Settings {
        Settings(
            installs: installs, days: days, eventsPerDay: eventsPerDay, seed: seed, collectors: collectors,
            partitions: partitions, fault: fault)
    }

    private static func list() {
        for fault in Fault.allCases {
            print(fault.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0) + fault.summary)
        }
    }

    /// The size of a run with a planted error.
    private static let smallInstalls = 400
    private static let smallDays = 10

    private func runFaults() async throws {
        let size = (Self.smallInstalls, Self.smallDays)
        let sound = try await SimulationRun(settings(size.0, size.1, nil))
        print("without an error: \(sound.violations.isEmpty ? "nothing found" : "FAILED")")
        if !sound.violations.isEmpty { print(Report.text(of: sound.violations, sound.settings)) }
        var (missed, found) = (sound.violations.isEmpty ? 0 : 1, Set<Int>())
        for fault in Fault.allCases {
            let run = try await SimulationRun(settings(size.0, size.1, fault), onlyFirst: true)
            let name = fault.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0)
            guard let first = run.violations.first else {
                print("\(name) NOT FOUND")
                missed += 1
                continue
            }
            let isExpected = fault.invariants.contains(first.invariant)
            print("\(name) \(first.time.sinceStart)  \(isExpected ? "" : "UNEXPECTED: ")\(first.invariant.name)")
            if isExpected {
                found.insert(first.invariant.rawValue)
            } else {
                print(Report.text(of: run.violations, run.settings))
                missed += 1
            }
        }
        for invariant in Invariant.allCases where !found.contains(invariant.rawValue) {
            print("no error was found by: \(invariant.name)")
            missed += 1
        }
        print("\n\(Fault.allCases.count) errors planted, \(missed == 0 ? "all found" : "\(missed) problems")")
        if missed > 0 { throw ExitCode.failure }
    }
}
