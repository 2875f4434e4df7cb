import Foundation
internal import Primitives

/// A system call that fails, how, and how often.
struct FaultRule: CustomStringConvertible {
    let call: String
    /// The error's name; nil for a write that falls short.
    let error: String?
    /// The first call that is struck, from 1.
    var first = 1
    /// Then each so many calls; 0 for never again.
    var step = 0

    /// The rule without its times.
    var kind: String { "\(call) \(error ?? "falls short")" }

    var description: String {
        "\(kind), call \(first)" + (step == 0 ? "" : " and each \(step) later")
    }

    /// Every kind, without times.
    static let all: [FaultRule] =
        ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "fallocate", "openat"].flatMap { call in
            ["ENOSPC", "EIO", "EINTR"].map { FaultRule(call: call, error: $0) }
        } + [
            FaultRule(call: "openat", error: "EMFILE"), FaultRule(call: "fallocate", error: "EOPNOTSUPP"),
            FaultRule(call: "pwrite64", error: nil), FaultRule(call: "write", error: nil),
            FaultRule(call: "mmap", error: "ENOMEM"), FaultRule(call: "mmap", error: "ENODEV"),
        ]

    /// The system calls that a rule strikes.
    static let calls = Set(all.map(\.call)).sorted()

    /// What a collector's segments and index may meet.
    static let ofCollector: [FaultRule] =
        ["fdatasync", "fsync", "write", "pwrite64"].map { FaultRule(call: $0, error: "EIO") } + [
            FaultRule(call: "write", error: "ENOSPC"), FaultRule(call: "write", error: nil),
        ]

    /// The rule at times of chance: once, now and then, or from some call on always. What is to be tried again at
    /// once, as EINTR, is never always.
    func timed(using random: inout SplitMix64) -> FaultRule {
        var rule = self
        // What is seldom called must be struck early to be struck at all.
        let latest = ["mmap", "fallocate", "ftruncate"].contains(call) ? [1, 2, 4] : [2, 8, 30]
        rule.first = Int.random(in: 1...latest[Int.random(in: 0...2, using: &random)], using: &random)
        let steps = error == "EINTR" || error == nil ? [0, 2, 3, 7] : [0, 1, 2, 5]
        rule.step = steps[Int.random(in: 0...3, using: &random)]
        return rule
    }

    /// Whether it takes `fault-injector`: strace cannot shorten a write, and would fail mappings that are none of the
    /// log's.
    var needsInjector: Bool { error == nil || call == "mmap" }

    /// What tells `fault-injector`.
    func environment(folder: String) -> [String: String] {
        let number =
            switch error {
            case "EIO": EIO
            case "ENOSPC": ENOSPC
            case "ENOMEM": ENOMEM
            case "ENODEV": ENODEV
            default: Int32(0)
            }
        // LD_PRELOAD would be parted at a space in the folder's name; LD_LIBRARY_PATH is not.
        let libraries = [Programs.folder, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap(\.self)
        return [
            "LD_PRELOAD": Programs.faultInjector, "LD_LIBRARY_PATH": libraries.joined(separator: ":"),
            "CRASH_FAULT_CALL": call, "CRASH_FAULT_ERROR": "\(number)",
            "CRASH_FAULT_FOLDER": folder + "/", "CRASH_FAULT_FIRST": "\(first)", "CRASH_FAULT_STEP": "\(step)",
        ]
    }

    /// How often a rule struck, by what strace or `fault-injector` wrote.
    static func strikes(saidIn path: String) throws -> Int {
        let (lines, mark) = (try LinesOfFile(path), Array("INJECTED".utf8))
        var count = 0
        while let (line, _) = lines.next() {
            if line.firstRange(of: mark) != nil { count += 1 }
        }
        return count
    }

    /// What tells strace.
    func straceArguments(pid: pid_t, output: String) -> [String] {
        let times = step == 0 ? "\(first)" : "\(first)+\(step)"
        return [
            "-f", "-qq", "-p", "\(pid)", "-o", output, "-e", "trace=\(call)",
            "-e", "inject=\(call):error=\(error ?? ""):when=\(times)",
        ]
    }
}
