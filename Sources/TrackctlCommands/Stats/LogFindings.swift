internal import EventLog
internal import Tracking

/// What was found in the inputs of `trackctl stats`. Memory grows with names, installs and gaps, not with events.
struct LogFindings {
    /// The drops of one input's ledger.
    struct Drops {
        let input: String
        let entry: LedgerEntry
    }

    private(set) var total = 0
    private(set) var firstTime: EventTime?
    private(set) var lastTime: EventTime?
    private(set) var drops: [Drops] = []
    private var countsByName: [String: Int] = [:]
    private var findingsByInstall: [String: InstallFindings] = [:]

    mutating func add(_ container: RecordedContainer) {
        total += 1
        firstTime = min(firstTime ?? container.time, container.time)
        lastTime = max(lastTime ?? container.time, container.time)
        countsByName[container.name, default: 0] += 1
        findingsByInstall[container.installID, default: InstallFindings()].add(seq: container.seq)
    }

    mutating func add(_ ledger: [LedgerEntry], of input: String) {
        drops += ledger.map { Drops(input: input, entry: $0) }
    }

    /// The most frequent first; names that are as frequent in the order of their bytes.
    var events: [(name: String, count: Int)] {
        countsByName.map { (name: $0.key, count: $0.value) }.sorted { left, right in
            left.count != right.count
                ? left.count > right.count : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }

    /// In the order of their ids' bytes.
    var installs: [(id: String, findings: InstallFindings)] {
        findingsByInstall.map { (id: $0.key, findings: $0.value) }
            .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }
}
