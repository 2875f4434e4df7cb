import Tracking

/// Answers requests concurrently.
struct EchoService {
    let tracker: Tracker

    /// Answers the request of each connection. Returns when there are no more connections and all requests are
    /// answered.
    ///
    /// Events describe the server's work. They contain no customer's identity: a tracker has one user, here the server
    /// itself. Put details of a request into its event's properties.
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

/// A request and its response.
protocol Connection: Sendable {
    /// The request's line, without its line feed, of at most 4,096 bytes.
    func read() -> String
    /// Responds with a line, and closes the connection.
    func write(_ line: String)
}
