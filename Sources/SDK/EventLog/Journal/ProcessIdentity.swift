internal import Foundation
internal import Synchronization

/// A process, told apart from a later one with the same number by its start time.
package struct ProcessIdentity: Hashable, CustomStringConvertible {
    package let pid: Int32
    let start: String

    static let current = ProcessIdentity(pid: getpid(), start: startTime(of: getpid()) ?? unknownStart)

    package init(pid: Int32, start: String) {
        self.pid = pid
        self.start = start
    }

    /// Reads what ``description`` wrote.
    init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let pid = Int32(parts[0]) else { return nil }
        self.init(pid: pid, start: String(parts[1]))
    }

    /// The process that runs under this number now; nil if there is none.
    static func running(_ pid: Int32) -> ProcessIdentity? {
        startTime(of: pid).map { ProcessIdentity(pid: pid, start: $0) }
    }

    package var description: String { "\(pid)@\(start)" }

    var isAlive: Bool {
        if let now = Self.startTime(of: pid) { return now == start }
        // Where start times can't be read, a process with that number has to do.
        return start == Self.unknownStart && kill(pid, 0) == 0
    }

    private static let unknownStart = "unknown"

    /// When a process started, in the system's own form; nil if there is no such process.
    private static func startTime(of pid: Int32) -> String? {
        #if canImport(Darwin)
            var info = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.stride
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, pid]
            guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
            let time = info.kp_proc.p_starttime
            return "\(time.tv_sec).\(time.tv_usec)"
        #else
            // Field 22 of proc(5) stat; the second field, the name in parentheses, may hold spaces.
            guard let stat = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
                let end = stat.lastIndex(of: UInt8(ascii: ")"))
            else { return nil }
            let fields = String(decoding: stat[(end + 1)...], as: UTF8.self).split(separator: " ")
            // A zombie has ended: it writes nothing any more.
            guard fields.count > 19, fields[0] != "Z" else { return nil }
            return String(fields[19])
        #endif
    }
}

/// Tells a process from the child that it forked, without a system call.
enum ForkGuard {
    private static let count = Atomic(0)

    private static let isInstalled: Bool = {
        pthread_atfork(nil, nil) { ForkGuard.count.wrappingAdd(1, ordering: .relaxed) }
        return true
    }()

    /// Another number in a forked child.
    @inline(__always)
    static var generation: Int { count.load(ordering: .relaxed) }

    /// Starts the counting of forks. Must be called once before the first fork that matters.
    static func install() { _ = isInstalled }
}
