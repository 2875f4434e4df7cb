import ArgumentParser
import Foundation

extension ParsableArguments {
    /// Refuses a number with which nothing would be tried.
    func requireAboveZero(_ numbers: (option: String, number: Int?)...) throws {
        for case (let option, let number?) in numbers where number < 1 {
            throw ValidationError("\(option) needs a number above 0")
        }
    }
}

/// What all harnesses take.
struct HarnessOptions: ParsableArguments {
    @Option(help: "What chance starts from; printed, so that a run can be repeated.")
    var seed: UInt64?

    @Option(help: "The folder to work in; each harness makes one of its own there.")
    var work = ".build/crash"

    @Flag(help: "The short form, for CI.")
    var short = false

    @Flag(help: "Keep the folder even if all is well.")
    var keep = false

    /// Runs a harness, prints what it found, and ends with 1 if that is anything wrong.
    ///
    /// - Parameters:
    ///   - name: The harness.
    ///   - body: Does the work; gives rows for the table.
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
        for fault in Fault.allCases where !rows.contains(where: { $0.0 == fault.rawValue }) {
            if Self.always.contains(fault) || findings[fault] > 0 {
                rows.append((fault.rawValue, "\(findings[fault])"))
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
        print("again: tools/crash/run \(Self.arguments(seed: seed))")
        throw ExitCode(1)
    }

    private static let always: [Fault] = [
        .lost, .doubled, .unreadable, .altered, .invented, .unexplained, .explainedTwice, .trapped,
    ]

    private static func arguments(seed: UInt64) -> String {
        var given = Array(CommandLine.arguments.dropFirst())
        // Named by tools/crash/run, anew each time.
        if let copies = given.firstIndex(of: "--copies") { given.removeSubrange(copies..<min(copies + 2, given.count)) }
        return (given + (given.contains("--seed") ? [] : ["--seed", "\(seed)"])).joined(separator: " ")
    }
}
