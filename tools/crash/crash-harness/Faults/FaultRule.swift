import Foundation
internal import Primitives

/// A system call that fails, with its error and frequency.
struct FaultRule: CustomStringConvertible {
    let call: String
    /// The name of the error; nil for a short write.
    let error: String?
    /// The first affected call, starting at 1.
    var first = 1
    /// The distance to the next affected call; 0 for a single one.
    var step = 0

    /// The rule without its frequency.
    var kind: String { "\(call) \(error ?? "falls short")" }

    var description: String {
        "\(kind), call \(first)" + (step == 0 ? "" : " and each \(step) later")
    }

    /// All kinds, without frequencies.
    static let all: [FaultRule] =
        ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "fallocate", "openat"].flatMap { call in
            ["ENOSPC", "EIO", "EINTR"].map { FaultRule(call: call, error: $0) }
        } + [
            FaultRule(call: "openat", error: "EMFILE"), FaultRule(call: "fallocate", error: "EOPNOTSUPP"),
            FaultRule(call: "pwrite64", error: nil), FaultRule(call: "write", error: nil),
            FaultRule(call: "mmap", error: "ENOMEM"), FaultRule(call: "mmap", error: "ENODEV"),
        ]

    /// The affected system calls.
    static let calls = Set(all.map(\.call)).sorted()

    /// The rules for a collector's segments and index.
    static let ofCollector: [FaultRule] =
        ["fdatasync", "fsync", "write", "pwrite64"].map { FaultRule(call: $0, error: "EIO") } + [
            FaultRule(call: "write", error: "ENOSPC"), FaultRule(call: "write", error: nil),
        ]

    /// The rule with a random frequency: once, sometimes, or always from some call on. Errors that are retried
    /// immediately, such as EINTR, are never permanent.
    func timed(using random: inout SplitMix64) -> FaultRule {
        var rule = self
        // Rare calls must be affected early.
        let latest = ["mmap", "fallocate", "ftruncate"].contains(call) ? [1, 2, 4] : [2, 8, 30]
        rule.first = Int.random(in: 1...latest[Int.random(in: 0...2, using: &random)], using: &random)
        let steps = error == "EINTR" || error == nil ? [0, 2, 3, 7] : [0, 1, 2, 5]
        rule.step = steps[Int.random(in: 0...3, using: &random)]
        return rule
    }

    /// Whether the rule needs `fault-injector`: strace cannot shorten a write, and would fail mappings that do not
    /// belong to the log.
    var needsInjector: Bool { error == nil || call == "mmap" }

    /// The environment for `fault-injector`.
    func environment(folder: String) -> [String: String] {
        let number =
            switch error {
            case "EIO": EIO
            case "ENOSPC": ENOSPC
            case "ENOMEM": ENOMEM
            case "ENODEV": ENODEV
            default: Int32(0)
            }
        return Self.injector(folder: folder).merging([
            "CRASH_FAULT_CALL": call, "CRASH_FAULT_ERROR": "\(number)", "CRASH_FAULT_FIRST": "\(first)",
            "CRASH_FAULT_STEP": "\(step)",
        ]) { _, new in new }
    }

    /// The environment for a disk whose writes last longer by some microseconds, and whose syncs by ten times as many.
    static func slowDisk(folder: String, delay: Int) -> [String: String] {
        injector(folder: folder).merging(["CRASH_FAULT_DELAY": "\(delay)"]) { _, new in new }
    }

    private static func injector(folder: String) -> [String: String] {
        // LD_PRELOAD would be split at a space in the folder's name; LD_LIBRARY_PATH is not.
        let libraries = [Programs.folder, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap(\.self)
        return [
            "LD_PRELOAD": Programs.faultInjector, "LD_LIBRARY_PATH": libraries.joined(separator: ":"),
            "CRASH_FAULT_FOLDER": folder + "/",
        ]
    }

    /// How often a rule affected a call, according to strace or `fault-injector`.
    static func strikes(saidIn path: String) throws -> Int {
        let (lines, mark) = (try LinesOfFile(path), Array("INJECTED".utf8))
        var count = 0
        while let (line, _) = lines.next() {
            if line.firstRange(of: mark) != nil { count += 1 }
        }
        return count
    }

    /// The arguments for strace.
    func straceArguments(pid: pid_t, output: String) -> [String] {
        let times = step == 0 ? "\(first)" : "\(first)+\(step)"
        return [
            "-f", "-qq", "-p", "\(pid)", "-o", output, "-e", "trace=\(call)",
            "-e", "inject=\(call):error=\(error ?? ""):when=\(times)",
        ]
    }
}
