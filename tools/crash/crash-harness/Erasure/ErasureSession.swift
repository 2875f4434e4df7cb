import EventLog
import EventModel
import Foundation
internal import Primitives

/// The state between two chains.
struct ErasureSession {
    private let workspace: Workspace
    private let seed: UInt64
    private var chains = 0
    private(set) var kills = 0
    private var moments: [String: Int] = [:]
    private var counts: [(name: String, count: Int)] = []
    private var reasons: [String: Int] = [:]

    init(workspace: Workspace, seed: UInt64) { (self.workspace, self.seed) = (workspace, seed) }

    /// Kills the processes of a new chain, finishes it, and compares.
    mutating func run(kills count: Int, keeps: Bool, _ findings: inout Findings) throws {
        chains += 1
        let notes = try workspace.makeFolder("notes-\(chains)")
        let folder = try Workspace(workspace.path, "chain-\(chains)")
        var chain = try ErasureChain(folder, notes: notes, seed: SplitMix64.mixed(seed &+ UInt64(chains)))
        let goal = kills + count
        while kills < goal {
            for (part, moment) in try chain.kill(&findings) {
                kills += 1
                moments["\(part.rawValue)s", default: 0] += 1
                if !moment.isEmpty { moments["senders \(moment)", default: 0] += 1 }
            }
            guard findings.isClean else { break }
        }
        try finish(&chain, &findings)
        if findings.isClean, !keeps {
            try folder.remove()
            try FileManager.default.removeItem(atPath: notes)
        }
    }

    private mutating func finish(_ chain: inout ErasureChain, _ findings: inout Findings) throws {
        try chain.settle(&findings)
        for diagnostic in chain.journal.diagnostics { findings.add(.failed, diagnostic) }
        for wrong in chain.network.answers.wrong { findings.add(.collectorAltered, wrong) }
        // What has left the collector before the erasure: only loaders can remove it.
        let erased = Set(chain.journal.erased)
        let left = try PersonSearch([chain.workspace.path("stream"), chain.loader.folder])
        let downstream = erased.intersection(left.people.keys).sorted()
        let before = try chain.reconcile()
        if !downstream.isEmpty, before.unerased.isEmpty || !before.hasCommand {
            findings.add(.failed, "reconcile does not report \(downstream.count) erased users in stream and folder")
        }
        try chain.eraseDownstream(downstream, &findings)
        let after = try chain.reconcile()
        for error in before.errors + after.errors { findings.add(.unexplained, "reconcile: \(error)") }
        // Also no event of a user who has only denied: the collector keeps it if it was stored before.
        let ranges = after.unerased.rangeView.map { "\($0.lowerBound)…\($0.upperBound - 1)" }
        findings.add(.keptThoughErased, count: after.unerased.count, "reconcile: \(ranges.joined(separator: ", "))")
        let audit = try compare(chain, &findings)
        try chain.end(&findings)
        try search(chain, audit, &findings)
        count("users", chain.journal.people.count)
        count("  erased", erased.count)
        count("  of them in stream or folder before loader erase", downstream.count)
        count("receipts of batches", chain.network.answers.receipts)
        count("receipts of erasures", chain.network.answers.erasures)
    }

    /// Compares the journals with log and stages.
    private mutating func compare(_ chain: ErasureChain, _ findings: inout Findings) throws -> ChainAudit {
        var audit = try ChainAudit(log: chain.log, people: chain.journal.people)
        audit.compare(try StageLines.ofSink(chain.workspace.path("log")), of: "file sink")
        let loaded = try StageLines.ofLoader(chain.loader.folder)
        audit.compare(loaded, of: "folder")
        let numbers = NumbersAudit(chain.log, events: audit.numbers, receipts: chain.journal.receipts)
        findings += numbers.findings
        let stored = try StoredLinesAudit(chain.collector, logs: [chain.log], mayRemain: audit.mayRemain)
        findings += stored.findings
        if audit.required == 0 { findings.add(.failed, "no acknowledged event had to be stored: kill more often") }
        reasons.merge(numbers.reasons, uniquingKeysWith: +)
        count("numbers", Int(numbers.highest))
        count("  explained by the ledger", numbers.explained)
        count("events sent", chain.journal.people.values.reduce(0) { $0 + $1.events.count })
        count("  that must be stored", audit.required)
        count("events in the log", audit.inLog)
        let denied = try chain.numbers(for: .optedOut)
        count(
            "events in the folder, denied before the receipt arrived",
            loaded.filter { (try? RecordedContainer(line: $0)).map { denied.contains(Int($0.seq)) } ?? false }.count)
        count("lines in the collector", stored.lines)
        count("  explained in the collector", Int(stored.explained))
        return audit
    }

    /// Searches all files of the chain.
    private mutating func search(_ chain: ErasureChain, _ audit: ChainAudit, _ findings: inout Findings) throws {
        var audit = audit
        let search = try PersonSearch([chain.workspace.path])
        audit.check(search)
        findings += audit.findings
        count("files searched", search.files)
        count("  bytes", search.bytes)
    }

    private mutating func count(_ name: String, _ count: Int) {
        if let index = counts.firstIndex(where: { $0.name == name }) {
            counts[index].count += count
        } else {
            counts.append((name, count))
        }
    }

    var rows: [(String, String)] {
        [("kills", "\(kills)")] + moments.sorted { $0.key < $1.key }.map { ("  \($0.key)", "\($0.value)") }
            + [("chains", "\(chains)")] + counts.map { ($0.name, "\($0.count)") } + [("in the ledger", "")]
            + reasons.sorted { $0.key < $1.key }.map { ("  \($0.key)", "\($0.value)") }
    }
}
