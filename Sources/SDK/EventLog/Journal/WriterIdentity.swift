internal import EventModel
internal import Foundation

/// The writer of a journal, as stored in its header. Used for messages, and to detect a reboot. Liveness is determined
/// by ``LifeLock``, never by a process number, which is meaningless in another container, after `fork` or after `exec`.
package struct WriterIdentity: Equatable, Sendable {
    /// How a writer shows that it is alive.
    package enum Liveness: Equatable, Sendable {
        /// A lock that it holds for its whole life.
        case lock
        /// A time that it renews, for systems that kill an app suspended with a lock.
        case heartbeat
    }

    package let pid: Int32
    /// The PID namespace of the process number; empty on systems without namespaces.
    let namespace: String
    /// The start of the system that it ran under; empty if that can't be read.
    let boot: String
    package let liveness: Liveness

    /// The identity of this process.
    package static func current(_ liveness: Liveness) -> WriterIdentity {
        WriterIdentity(pid: getpid(), namespace: currentNamespace, boot: BootTime.currentBoot, liveness: liveness)
    }

    init(pid: Int32, namespace: String, boot: String, liveness: Liveness) {
        self.pid = pid
        self.namespace = namespace
        self.boot = boot
        self.liveness = liveness
    }

    /// Parses ``text``.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, let pid = Int32(parts[1]) else { return nil }
        switch parts[0] {
        case "lock": self.init(pid: pid, namespace: "\(parts[2])", boot: "\(parts[3])", liveness: .lock)
        case "heartbeat": self.init(pid: pid, namespace: "\(parts[2])", boot: "\(parts[3])", liveness: .heartbeat)
        default: return nil
        }
    }

    var text: String {
        switch liveness {
        case .lock: "lock \(pid) \(namespace) \(boot)"
        case .heartbeat: "heartbeat \(pid) \(namespace) \(boot)"
        }
    }

    /// Whether the system was rebooted since the writer started. If so, the writer has ended, whatever its file
    /// contains.
    var isOfEarlierBoot: Bool { !boot.isEmpty && !BootTime.currentBoot.isEmpty && boot != BootTime.currentBoot }

    /// A description of the process for messages. Includes the process number only if it is valid in this process's PID
    /// namespace.
    package var label: String {
        namespace == Self.currentNamespace ? "process \(pid)" : "a process of another container"
    }

    private static let currentNamespace: String = {
        #if os(Linux)
            // Without procfs, the namespace is unknown, as on systems without namespaces.
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
        #else
            return ""
        #endif
    }()
}
