import CrashSupport
import Foundation
internal import Primitives

/// One of several concurrent senders to the same log, repeatedly killed and restarted.
struct WriterSlot: Sendable {
    /// The result of the slot.
    struct Outcome {
        var tally = KillTally()
        var runs: [Int: RunNotes] = [:]
        var findings = Findings()
        var sent: Int { runs.values.reduce(0) { $0 + $1.kept } }
    }

    let number: Int
    let folder: String
    let notes: String
    let sends: Int
    let kills: Int
    let seed: UInt64
    /// Whether its senders do not flush.
    var isQuiet = false

    /// Runs on a separate thread, because waiting must not block the threads of tasks.
    func work() async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try workAlone() }) }
        }
    }

    private func workAlone() throws -> sending Outcome {
        var outcome = Outcome()
        var random = SplitMix64(seed: seed &+ UInt64(number))
        let launcher = SenderLauncher(
            folder: folder, notes: notes, capacity: sends * 2, seed: seed, isolates: true, collects: true,
            misjudges: true)
        var run = number * 1_000_000 + (isQuiet ? 500_000 : 0)
        var failures = 0
        while outcome.tally.kills < kills || outcome.sent < sends {
            run += 1
            let isLast = outcome.tally.kills >= kills
            let aim = isQuiet ? .sending : KillAim.draw(using: &random)
            let left = max(sends - outcome.sent, 0)
            let share = left / (kills - outcome.tally.kills + 1)
            let events = isLast ? left : aim.eventCount(using: &random)
            let sender = try launcher.start(
                run: run, (events.map { ["--events", "\($0)"] } ?? []) + (isQuiet ? ["--quiet"] : []))
            let end: ChildEnd?
            if isLast {
                end = sender.child.wait(seconds: 600)
            } else {
                if aim == .sending || aim == .flushing {
                    let goal = Int.random(in: 0...max(share * 3, 1), using: &random)
                    _ = sender.wait(seconds: 120) { sender.notebook.acknowledged >= goal }
                }
                end = aim.strike(sender, using: &random)
            }
            outcome.runs[run] = sender.notes
            try FileManager.default.removeItem(atPath: "\(notes)/notebook-\(run)")
            if end == .signalled(SIGKILL) { outcome.tally.add(sender.notebook) }
            guard let fault = Self.fault(of: end) else { continue }
            failures += 1
            outcome.findings.add(fault, "run \(run) \(end?.description ?? "did not end"); see senders.log")
            if failures == 10 { return outcome }
        }
        return outcome
    }

    private static func fault(of end: ChildEnd?) -> Fault? {
        switch end {
        case .exited(0)?, .signalled(SIGKILL)?: nil
        case .exited?: .failed
        case .signalled?: .trapped
        case nil: .hung
        }
    }
}
