internal import EventLog
internal import Foundation
internal import TextRendering

/// Repairs a log by opening it, as an app would.
struct DatabaseRepair {
    private let path: String

    init(_ path: String) { self.path = path }

    func run(checksStructure: Bool) async throws -> [RepairStep] {
        let asideBefore = Set(try quarantines())
        let waiting = ended()
        let store = try open()
        let statistics: EventLogStatistics
        let damaged: Int64
        do {
            if checksStructure { try await store.repairStructure() }
            try await store.commit()
            statistics = try await store.statistics()
            damaged = try await store.ledger().filter { $0.reason == .damaged }.reduce(0) { $0 + $1.count }
            try await store.close()
        } catch {
            try? await store.close()  // loses only the error of closing: the first error counts
            throw error
        }
        var steps: [RepairStep] = []
        if waiting.rings > 0 {
            steps.append(
                RepairStep(
                    location: path,
                    message:
                        "moved \(waiting.events.counted("event")) of \(waiting.rings.counted("ended writer")) into it"
                ))
        }
        let aside = try quarantines().filter { !asideBefore.contains($0) }
        steps += aside.map {
            RepairStep(location: $0, message: "has the damaged files; reason.txt states the reason")
        }
        if !aside.isEmpty || waiting.rings == 0 {
            steps.append(
                RepairStep(
                    location: path,
                    message: "has \(statistics.count.counted("event")), up to number \(statistics.lastSeq); "
                        + "its ledger counts \(damaged) as damaged"))
        }
        return steps
    }

    private func open() throws -> SQLiteEventStore {
        try SQLiteEventStore(
            path: path,
            options: SQLiteEventStore.Options(
                installID: { UUID().uuidString }, retention: .keepAll, maximumPendingBytes: 256 << 10))
    }

    private func quarantines() throws -> [String] {
        FolderContent.paths(FolderContent.folder(of: path)).filter {
            FolderContent.name($0).hasPrefix(FolderContent.name(path) + ".damaged-")
        }
    }

    private func ended() -> (rings: Int, events: Int) {
        // The number is unknown if the database is unreadable; all events then count as waiting.
        let last = (try? DatabaseExamination(path: path).totals().lastSeq) ?? 0
        let journals = try? JournalExamination(database: path, after: last)  // nil: no journals, or in use
        let ended = (journals?.rings ?? []).filter { !$0.isAlive }
        return (ended.count, ended.reduce(0) { $0 + $1.waiting })
    }
}
