import ArgumentParser
import Foundation

/// Kills, damages and starves the event log, and compares its contents with the senders' notes.
@main
struct CrashHarness: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-harness", abstract: "Test that the event log loses no events. Started by tools/crash/run.",
        subcommands: [
            SelfTestCommand.self, KillCommand.self, OpeningCommand.self, ProcessesCommand.self, TruncateCommand.self,
            FaultsCommand.self, BurstCommand.self, FullCommand.self, OutageCommand.self, CollectorCommand.self,
            ConsentCommand.self, ErasureCommand.self, StartsCommand.self, PairsCommand.self, ProbeCommand.self,
        ])
}

extension ParsableArguments {
    /// Rejects numbers that would test nothing.
    func requireAboveZero(_ numbers: (option: String, number: Int?)...) throws {
        for case (let option, let number?) in numbers where number < 1 {
            throw ValidationError("\(option) must be greater than zero")
        }
    }
}

/// The options of all harnesses.
struct HarnessOptions: ParsableArguments {
    @Option(help: "Random seed; printed, so that you can repeat a run.")
    var seed: UInt64?

    @Option(help: "Working folder, in which each harness creates a folder.")
    var work = ".build/crash"

    @Flag(help: "Short run, for CI.")
    var short = false

    @Flag(help: "Keep the folder even without errors.")
    var keep = false

    /// Runs a harness, prints the results, and ends with 1 if there are errors.
    ///
    /// - Parameters:
    ///   - name: The harness.
    ///   - body: Runs the tests; returns rows of the table.
    func run(
        _ name: String,
        _ body: (_ workspace: Workspace, _ seed: UInt64, _ findings: inout Findings) async throws -> [(String, String)]
    ) async throws {
        let seed = seed ?? UInt64.random(in: 1...999_999)
        let begin = ContinuousClock.now
        let workspace = try Workspace(work, "\(name)-\(seed)")
        var findings = Findings()
        var rows: [(String, String)] = [("seed", "\(seed)")]
        rows += try await body(workspace, seed, &findings)
        for kind in Fault.allCases where !rows.contains(where: { $0.0 == kind.rawValue }) {
            if Self.always.contains(kind) || findings[kind] > 0 {
                rows.append((kind.rawValue, "\(findings[kind])"))
            }
        }
        let seconds = (ContinuousClock.now - begin).components.seconds
        rows.append(("time", "\(seconds) s"))
        rows.append(("result", findings.isClean ? "nothing wrong" : "FAULTS"))
        print(SummaryTable(title: name, rows: rows).text)
        if findings.isClean {
            if !keep { try workspace.remove() }
            return
        }
        print(findings.report)
        print("kept: \(workspace.path)")
        print("repeat with: tools/crash/run \(Self.arguments(seed: seed))")
        throw ExitCode(1)
    }

    private static let always: [Fault] = [
        .lost, .doubled, .unreadable, .altered, .invented, .unexplained, .explainedTwice, .trapped,
    ]

    private static func arguments(seed: UInt64) -> String {
        var given = Array(CommandLine.arguments.dropFirst())
        // A new folder from tools/crash/run each time.
        if let copies = given.firstIndex(of: "--copies") { given.removeSubrange(copies..<min(copies + 2, given.count)) }
        return (given + (given.contains("--seed") ? [] : ["--seed", "\(seed)"])).joined(separator: " ")
    }
}

/// Prints the progress of a long run.
enum StandardOutput {
    static func note(_ text: String) {
        print(text)
        fflush(nil)
    }
}

/// A table with two columns: a label and a value.
struct SummaryTable {
    let title: String
    let rows: [(String, String)]

    var text: String {
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { label, value in
            "  " + label + String(repeating: " ", count: width - label.count + 2) + value
        }
        return (["", title] + lines + [""]).joined(separator: "\n")
    }
}
