internal import CollectorStore
internal import EventModel
internal import Foundation
internal import Primitives

/// Whether the collector can store events now, according to its last disk operation.
///
/// Thread-safe. ``state(at:stall:)`` may block for the disk.
final class Readiness: Sendable {
    struct State: Equatable {
        var isReady: Bool
        /// Why the collector is not ready; empty if it is.
        var reason: String
        var lastCommit: EventTime?
        var freeBytes: Int64?
    }

    /// What the store has, compared with its limits.
    struct Stored {
        /// The size of segments and index.
        var bytes: Int64 = 0
        /// Whether this is more than 70 % of the limit.
        var isNearLimit = false
        /// Why nothing more is stored; nil below the limits.
        var lack: String?
        /// What to do about it.
        var remedy = ""
    }

    private struct Memory {
        var isDraining = false
        var lastCommit: EventTime?
        var lastFailure: (time: EventTime, reason: String)?
        var lastProbe: EventTime?
        var stored = Stored()
    }

    /// A commit this recent proves that the disk works; otherwise a probe file is written and synced.
    private static let freshness = Duration.seconds(10)
    /// How long submissions may wait while nothing is written.
    static let maximumStall = Duration.seconds(5)
    private let folder: String
    private let minimumFreeBytes: Int64
    private let memory = Locked(Memory())

    init(folder: String, minimumFreeBytes: Int64) {
        self.folder = folder
        self.minimumFreeBytes = minimumFreeBytes
    }

    func committed(at now: EventTime) {
        memory.withLock { memory in
            memory.lastCommit = now
            memory.lastFailure = nil
        }
    }

    func failed(_ reason: String, at now: EventTime) { memory.withLock { $0.lastFailure = (now, reason) } }

    /// Reports the shutdown from now on.
    func drain() { memory.withLock { $0.isDraining = true } }

    var isDraining: Bool { memory.withLock { $0.isDraining } }

    /// Why batches are rejected for lack of space; nil if there is enough. Costs a system call.
    var lackOfSpace: String? {
        if let lack = stored.lack { return lack }
        let hasSpace = freeBytes.map { $0 >= minimumFreeBytes } ?? true
        return hasSpace ? nil : "the collector has too little free space"
    }

    /// The last measurement of the store.
    var stored: Stored { memory.withLock { $0.stored } }

    /// Notes a measurement of the store.
    ///
    /// - Returns: The previous one.
    func note(_ stored: Stored) -> Stored {
        memory.withLock { memory in
            defer { memory.stored = stored }
            return memory.stored
        }
    }

    private var freeBytes: Int64? { DataFolder.freeBytes(folder) }

    /// - Parameter stall: ``BatchStore/stall``.
    func state(at now: EventTime, stall: Duration) -> State {
        let known = memory.withLock { $0 }
        let free = freeBytes
        func state(_ reason: String) -> State {
            State(isReady: reason.isEmpty, reason: reason, lastCommit: known.lastCommit, freeBytes: free)
        }
        if known.isDraining { return state("shutting down") }
        guard stall <= Self.maximumStall else {
            return state(
                "batches have waited for over \(stall.components.seconds) s, and nothing was written in that time; check the disk and the load"
            )
        }
        if let free, free < minimumFreeBytes {
            return state(
                "only \(free) bytes are free, \(minimumFreeBytes) are required; free space or shorten the retention"
            )
        }
        if let lack = known.stored.lack { return state("\(lack); \(known.stored.remedy)") }
        let proofs = [known.lastFailure == nil ? known.lastCommit : nil, known.lastProbe].compactMap { $0 }
        if proofs.contains(where: { now >= $0 && now.duration(since: $0) < Self.freshness }) { return state("") }
        do { try DataFolder.probe(folder) } catch {
            return state("cannot write to the data folder: \(error)")
        }
        memory.withLock { memory in
            memory.lastProbe = now
            memory.lastFailure = nil
        }
        return state("")
    }
}
