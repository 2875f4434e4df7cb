import CrashSupport
import Foundation

/// A sender with one rule, followed by an undisturbed run on the same log.
struct FaultTrial {
    let rule: FaultRule
    let folder: String
    let notes: String
    let seed: UInt64
    private(set) var findings = Findings()
    private(set) var runs: [Int: RunNotes] = [:]
    /// How often the rule affected a call.
    private(set) var strikes = 0
    /// Whether the sender ended with an error's exit code.
    private(set) var endedWithError = false

    init(rule: FaultRule, folder: String, notes: String, seed: UInt64) {
        self.rule = rule
        self.folder = folder
        self.notes = notes
        self.seed = seed
    }

    mutating func run() throws {
        let launcher = SenderLauncher(folder: folder, notes: notes, seed: seed)
        let sender = try launcher.start(
            run: 1, ["--events", "300", "--pause", "2000", "--wait-at-start"],
            environment: rule.needsInjector ? rule.environment(folder: folder) : [:])
        guard sender.waitForGate() else { throw HarnessError("the sender did not start; see \(notes)/senders.log") }
        let output = notes + "/strace.log"
        let strace = rule.needsInjector ? nil : try attach(to: sender.child.pid, output: output)
        sender.notebook.openGate()
        switch sender.child.wait(seconds: 60) {
        case .exited(let code)?: endedWithError = code != 0
        case .signalled(let signal)?: findings.add(.trapped, "signal \(signal)")
        case nil: findings.add(.hung, "for 60 s")
        }
        _ = strace?.wait(seconds: 10)
        strikes += try FaultRule.strikes(saidIn: rule.needsInjector ? notes + "/senders.log" : output)
        runs[1] = sender.notes
        runs[2] = try launcher.settle(run: 2, findings: &findings)
    }

    /// Starts strace, and waits until it is attached to every thread of the sender.
    private func attach(to pid: pid_t, output: String) throws -> Child {
        let strace = try Child(
            "/usr/bin/strace", rule.straceArguments(pid: pid, output: output), errors: notes + "/strace-errors.log")
        let deadline = ContinuousClock.now + .seconds(20)
        while !Self.isTraced(pid) {
            guard strace.poll() == nil, ContinuousClock.now < deadline else {
                throw HarnessError("strace cannot attach; see \(notes)/strace-errors.log")
            }
            usleep(500)
        }
        return strace
    }

    private static func isTraced(_ pid: pid_t) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []  // ended
        return !threads.isEmpty
            && threads.allSatisfy { thread in
                guard let status = FileManager.default.contents(atPath: "/proc/\(pid)/task/\(thread)/status") else {
                    return true
                }
                return !String(decoding: status, as: UTF8.self).contains("TracerPid:\t0\n")
            }
    }
}
