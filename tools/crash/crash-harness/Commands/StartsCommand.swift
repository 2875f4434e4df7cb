import ArgumentParser
import CrashSupport
import EventLog
import EventModel
import Foundation

/// `starts`: events right after the start, while the log is being opened.
struct StartsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "starts",
        abstract: "Send thousands of events right after the start, with a slow disk and busy processors, and compare.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of passes through all cases. Default 20, short 1.")
    var passes: Int?

    func validate() throws { try requireAboveZero(("--passes", passes)) }

    func run() async throws {
        try await options.run("starts") { workspace, _, findings in
            var rows: [(String, String)] = []
            let passes = passes ?? (options.short ? 1 : 20)
            for start in StartCase.all {
                var figures = StartCase.Figures()
                for _ in 0..<passes { try start.run(in: workspace, isShort: options.short, &figures, &findings) }
                rows.append((start.title, "sent \(figures.sent), pending \(figures.pending), lost \(figures.lost)"))
                // Otherwise the case shows nothing about the opening.
                if figures.pending == 0 { findings.add(.failed, "\(start.title): no event was pending") }
                guard findings.isClean else { break }
            }
            return rows
        }
    }
}

/// A number of events right after the start, in a folder.
private struct StartCase {
    struct Figures {
        var sent = 0
        var pending = 0
        var lost = 0
    }

    private enum Load: String, CaseIterable {
        case none = "idle"
        case disk = "slow disk"
        case processors = "busy processors"
    }

    private let count: Int
    private let isNew: Bool
    private let load: Load

    static let all = [5_000, 50_000].flatMap { count in
        [true, false].flatMap { isNew in
            Load.allCases.map { StartCase(count: count, isNew: isNew, load: $0) }
        }
    }

    var title: String { "\(count) events, \(isNew ? "new" : "existing") folder, \(load.rawValue)" }

    func run(in workspace: Workspace, isShort: Bool, _ figures: inout Figures, _ findings: inout Findings) throws {
        let folder = URL(fileURLWithPath: try workspace.makeFolder("log")).resolvingSymlinksInPath().path
        let former = isNew ? 0 : 1_000
        if !isNew { _ = try send(former, run: 1, in: folder, workspace, [:], &findings) }
        let processors = load == .processors ? BusyProcessors() : nil
        defer { processors?.stop() }
        let environment = load == .disk ? FaultRule.slowDisk(folder: folder, delay: isShort ? 100 : 500) : [:]
        let journal = try send(count, run: 2, in: folder, workspace, environment, &findings)
        let path = folder + "/events.sqlite"
        var numbers = IndexSet()
        var cursor = LogCursor(try EventLogReader(path: path))
        while let record = try cursor.next() { numbers.insert(Int(record.seq)) }
        let audit = NumbersAudit(path, events: numbers, receipts: [])
        findings += audit.findings
        let lost = former + count - numbers.count
        figures.sent += count
        figures.pending += journal?.burst?.pending ?? 0
        figures.lost += lost
        guard lost != 0 || journal?.burst?.accepted != count else { return }
        findings.add(
            .lost, count: max(lost, 1),
            "\(title): \(journal?.burst?.accepted ?? 0) accepted, \(numbers.count - former) stored, \(audit.reasons)")
    }

    private func send(
        _ count: Int, run: Int, in folder: String, _ workspace: Workspace, _ environment: [String: String],
        _ findings: inout Findings
    ) throws -> JournalLines? {
        let path = workspace.path("journal")
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        let sender = try Child(
            Programs.trackerSender,
            ["--role", "burst", "--folder", folder, "--journal", path, "--run", "\(run)", "--events", "\(count)"],
            errors: workspace.path("senders.log"), environment: environment)
        let end = sender.wait(seconds: 120)
        guard end == .exited(0) else {
            findings.add(end == nil ? .hung : .failed, "\(title): the sender \(end.map { "\($0)" } ?? "did not end")")
            return nil
        }
        let journal = try JournalLines(path, run: run, end: MonotonicTime.now)
        for diagnostic in journal.diagnostics { findings.add(.failed, "\(title): \(diagnostic)") }
        return journal
    }
}
