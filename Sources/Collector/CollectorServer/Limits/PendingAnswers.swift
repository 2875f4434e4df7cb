internal import Primitives

/// Bounds the answers that clients do not read, so that memory use stays flat. Thread-safe.
///
/// ``EventsHandler`` reads no further request while an answer waits for its client, so a connection has at most one
/// answer of events, and what another answer has written ahead: less than 1 MiB.
final class PendingAnswers: Sendable {
    private struct Waiting {
        var bytes: Int
        let close: @Sendable () -> Void
    }

    private let maximumBytes: Int
    private let state = Locked<(bytes: Int, connections: [ObjectIdentifier: Waiting])>((0, [:]))

    /// - Parameter bytes: The most bytes of answers of all connections.
    init(bytes: Int) { maximumBytes = bytes }

    /// The bytes of all answers that wait.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Sets what a connection's answers need, until all are written. While all exceed the limit, the connection that
    /// needs most is closed.
    func set(_ bytes: Int, of connection: ObjectIdentifier, close: @escaping @Sendable () -> Void) {
        let closed = state.withLock { state in
            let known = state.connections.updateValue(Waiting(bytes: bytes, close: close), forKey: connection)
            state.bytes += bytes - (known?.bytes ?? 0)
            var closed: [Waiting] = []
            while state.bytes > maximumBytes,
                let most = state.connections.max(by: { $0.value.bytes < $1.value.bytes })
            {
                state.connections[most.key] = nil
                state.bytes -= most.value.bytes
                closed.append(most.value)
            }
            return closed
        }
        for waiting in closed { waiting.close() }
    }

    /// Forgets a connection.
    func remove(_ connection: ObjectIdentifier) {
        state.withLock { state in
            if let known = state.connections.removeValue(forKey: connection) { state.bytes -= known.bytes }
        }
    }
}
