import Tracking

/// Answers requests, several at the same time.
struct EchoService {
    let tracker: Tracker

    /// Answers each connection's request; returns when there are no more connections, and all are answered.
    ///
    /// Events say what the server did. They don't carry a customer's identity: a tracker has one user, here the server itself. What
    /// a request is about belongs into its event's properties.
    func serve(_ connections: AsyncStream<some Connection>) async {
        let count = await withTaskGroup(of: Void.self, returning: Int.self) { group in
            var count = 0
            for await connection in connections {
                count += 1
                group.addTask { answer(connection) }
            }
            return count
        }
        tracker.send(.serverStopped(requests: count))
    }

    private func answer(_ connection: some Connection) {
        let request = connection.read()
        connection.write(request)
        tracker.send(.requestAnswered(outcome: request.isEmpty ? .empty : .echoed, size: request.utf8.count))
    }
}

/// One request and its answer.
protocol Connection: Sendable {
    /// The request's line, without its line feed, of at most 4,096 bytes.
    func read() -> String
    /// Answers with a line, and ends the connection.
    func write(_ line: String)
}
