import Dispatch
import EventLog
import Primitives
import TrackingCore

/// The values that survive a process.
final class StoredValues: Sendable {
    let values = Locked<[String: String]>([:])
}

struct StorageFailure: Error, CustomStringConvertible {
    var description: String { "the storage can't be read" }
}

/// The view of one process on stored values. It can fail, wait, and be cut off like that of a killed process.
class ProcessStorage: KeyValueStorage, @unchecked Sendable {  // immutable; the parts are locked
    fileprivate let stored: StoredValues
    let reading: Gate
    let writing: Gate

    init(_ stored: StoredValues, reading: Gate, writing: Gate) {
        self.stored = stored
        self.reading = reading
        self.writing = writing
    }

    func string(forKey key: String) throws -> String? {
        guard reading.pass() else { throw StorageFailure() }
        return stored.values.withLock { $0[key] }
    }

    func set(_ value: String?, forKey key: String) throws {
        guard writing.pass(), !writing.isCut else { return }
        stored.values.withLock { $0[key] = value }
    }
}

/// Storage that sets values without a disk.
final class ImmediateProcessStorage: ProcessStorage, ImmediateStorage, @unchecked Sendable {}  // as its superclass

/// Storage in a file that all processes change.
final class SharedProcessStorage: ProcessStorage, SharedKeyValueStorage, @unchecked Sendable {  // as its superclass
    func contents() throws -> [String: String] {
        guard reading.pass() else { throw StorageFailure() }
        return stored.values.withLock { $0 }
    }

    func peek() throws -> [String: String] { try contents() }

    func update(_ change: (inout [String: String]) throws -> Void) throws {
        guard writing.pass(), !writing.isCut else { return }
        try stored.values.withLock { try change(&$0) }
    }

    func takeDamage() -> EventLogError? { nil }
}

/// Lets threads wait, and lets some of their attempts fail afterwards.
final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var failures: Int
        var isCut = false
        var waiting = 0
    }

    private let state: Locked<State>
    private let opened = DispatchSemaphore(value: 0)

    init(isOpen: Bool = true, failures: Int = 0) { state = Locked(State(isOpen: isOpen, failures: failures)) }

    var isCut: Bool { state.withLock { $0.isCut } }

    /// Waits until the gate is open. Returns whether the attempt succeeds.
    func pass() -> Bool {
        let waits = state.withLock { state in
            if !state.isOpen { state.waiting += 1 }
            return !state.isOpen
        }
        if waits { opened.wait() }
        return state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures == 0 || state.isCut
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = 0 }
            state.isOpen = true
            return state.waiting
        }
        for _ in 0..<waiting { opened.signal() }
    }

    func close() { state.withLock { $0.isOpen = false } }

    /// Opens the gate for a process that no longer exists: what passes has no effect.
    func cut() {
        state.withLock { $0.isCut = true }
        open()
    }
}
