package import CollectorServer
package import CollectorStore
internal import Dispatch
package import Logging
internal import Primitives
internal import StreamClient

/// The forwarder of a collector. Thread-safe.
package final class StreamForwarding: Forwarding {
    private let settings: ForwardingSettings
    private let forwarder: EventForwarder
    private let verdicts: VerdictReader
    private let aside: SetAsideMessages

    /// - Throws: ``StoreError``.
    package init(
        _ store: BatchStore, folder: String, settings: ForwardingSettings, logger: Logger
    ) throws(StoreError) {
        self.settings = settings
        aside = SetAsideMessages(dataFolder: folder)
        var stream = JetStream.Options(servers: settings.servers, name: "collector")
        stream.credentials = settings.credentials
        stream.authority = settings.authority
        stream.certificate = settings.certificate
        stream.key = settings.key
        stream.timeout = settings.streamTimeout
        verdicts = VerdictReader(stream, blocking: Self.blocking(DispatchQueue(label: "collector.verdicts")))
        var options = EventForwarder.Options(stream: stream)
        options.partitions = settings.partitions
        options.replicas = settings.replicas
        forwarder = try EventForwarder(
            store, path: "\(folder)/forwarded.json", options,
            blocking: Self.blocking(DispatchQueue(label: "collector.forwarding"))
        ) { message in
            logger.error("\(message)")
        }
    }

    /// Runs closures on a thread of their own. While the stream is away, each blocks for seconds, and the threads of NIO's
    /// pool, as few as one, are needed for requests.
    private static func blocking(_ queue: DispatchQueue) -> EventForwarder.Blocking {
        { body in
            await withCheckedContinuation { continuation in
                queue.async {
                    body()
                    continuation.resume()
                }
            }
        }
    }

    package var answersWhenReplicated: Bool { settings.answersWhenReplicated }

    package var state: ForwardingState {
        let progress = forwarder.progress
        var state = ForwardingState()
        state.receipt = progress.receipt
        state.failures = progress.failures
        state.events = progress.events
        state.messages = progress.messages
        state.problem = progress.problem
        // A message has a header line of less than 2 KiB besides.
        state.maximumLine = progress.maximumPayload.map { $0 - 2048 }
        return state
    }

    /// Forwards, and reads verdicts.
    package func run() async {
        await withTaskGroup(of: Void.self) { [forwarder, verdicts] group in
            group.addTask { await forwarder.run() }
            group.addTask { await verdicts.run() }
            // The forwarder ends with the store.
            await group.next()
            group.cancelAll()
        }
    }

    /// What to apply to the next answers to an install; nil for nothing.
    package func verdict(on installID: String) -> ForwardingVerdict? {
        verdicts.verdict(on: installID).map { verdict in
            ForwardingVerdict(
                missing: verdict.missing, isForked: !verdict.forked.isEmpty, secretHash: verdict.secretHash)
        }
    }

    package func findings() -> [StoreFinding] { aside.findings() }

    /// Waits until a batch is in the stream.
    ///
    /// - Returns: Whether it is. false after ``ForwardingSettings/answerTimeout``.
    package func wait(for receipt: Int64) async -> Bool {
        await withTaskGroup(of: Bool.self) { [forwarder, settings] group in
            group.addTask {
                var seen: UInt64 = 0
                while forwarder.progress.receipt < receipt, !Task.isCancelled {
                    seen = await forwarder.changes.next(after: seen)
                }
                return forwarder.progress.receipt >= receipt
            }
            group.addTask {
                await ContinuousClock().sleepUnlessCancelled(for: settings.answerTimeout)
                return forwarder.progress.receipt >= receipt
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
