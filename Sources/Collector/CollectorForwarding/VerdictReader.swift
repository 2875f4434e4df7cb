internal import Primitives
package import StreamClient

/// Reads the verdicts of the loaders about installs, and keeps the latest of each install in memory. Thread-safe.
package final class VerdictReader: Sendable {
    private let options: JetStream.Options
    private let interval: Duration
    private let blocking: EventForwarder.Blocking
    private let verdicts = Locked<[String: InstallVerdict]>([:])
    /// Used by one call at a time.
    private let reading = Locked<Reading>(Reading())

    private struct Reading: @unchecked Sendable {  // the lock passes the connection from thread to thread
        var stream: JetStream?
        var sequence: Int64 = 0
        /// Identifies the stream.
        var created = ""
    }

    /// Does not connect yet.
    ///
    /// - Parameter interval: The time between two reads.
    package init(
        _ options: JetStream.Options, interval: Duration = .seconds(1), blocking: @escaping EventForwarder.Blocking
    ) {
        self.options = options
        self.interval = interval
        self.blocking = blocking
    }

    /// The verdict about an install; nil if there is nothing to apply. Complexity: O(1).
    package func verdict(on installID: String) -> InstallVerdict? { verdicts.withLock { $0[installID] } }

    /// Reads until the task is cancelled. While the stream is away, the verdicts that are known stay.
    package func run() async {
        while !Task.isCancelled {
            await blocking { try? self.read() }  // the forwarder reports that the stream is away
            guard await ContinuousClock().sleepUnlessCancelled(for: interval) else { return }
        }
    }

    /// Reads what is new.
    ///
    /// - Throws: `StreamError`.
    func read() throws {
        try reading.withLock { reading in
            let stream = try reading.stream ?? JetStream(options)
            reading.stream = stream
            let created = try stream.state(of: StreamNames.verdicts).created
            if created != reading.created {
                reading.created = created
                reading.sequence = 0
                verdicts.withLock { $0.removeAll() }
            }
            while true {
                let (messages, hasMore) = try stream.messages(
                    of: StreamNames.verdicts, subject: StreamNames.allVerdicts, after: reading.sequence)
                for message in messages {
                    // A later version may write another form: then there is nothing to apply.
                    guard let verdict = try? InstallVerdict(payload: message.data) else { continue }
                    verdicts.withLock { $0[verdict.installID] = verdict.isEmpty ? nil : verdict }
                }
                reading.sequence = messages.last?.sequence ?? reading.sequence
                if !hasMore { return }
            }
        }
    }
}
