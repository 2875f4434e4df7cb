import Primitives
import TrackingCore

/// Storage that can't be read or written while the test says so.
final class UnreliableStorage: KeyValueStorage {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var values: [String: String] = [:]
        var failsReading = false
        var failsWriting = false
    }

    private let state = Locked(State())

    func fails(reading: Bool = false, writing: Bool = false) {
        state.withLock { ($0.failsReading, $0.failsWriting) = (reading, writing) }
    }

    /// The stored values, whether readable or not.
    func string(stored key: String) -> String? { state.withLock { $0.values[key] } }

    func string(forKey key: String) throws -> String? {
        try state.withLock { state in
            guard !state.failsReading else { throw Failure(description: "locked") }
            return state.values[key]
        }
    }

    func set(_ value: String?, forKey key: String) throws {
        try state.withLock { state in
            guard !state.failsWriting else { throw Failure(description: "read-only") }
            state.values[key] = value
        }
    }
}
