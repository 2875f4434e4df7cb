#if Collector
    #if NATS
        internal import CollectorForwarding
        internal import StreamClient
    #endif
    internal import CollectorStore
    internal import Foundation
    internal import Logging
    internal import NIOPosix

    /// Where a collector forwards what it accepts. Needs the package trait `NATS`.
    package struct ForwardingSettings: Sendable {
        /// `nats://host:port` or `tls://host:port`, separated by commas.
        package var servers: String
        /// A file with a NATS user's JWT and key; nil for none.
        package var credentials: String?
        /// PEM certificates of the servers' authority; nil for the system's.
        package var authority: String?
        /// The number of partitions of a stream that is created.
        package var partitions = 16
        /// The number of replicas of a stream that is created.
        package var replicas = 3
        /// Whether a batch is answered only after the stream has it.
        package var answersWhenReplicated = false
        /// The longest wait for the stream before an answer.
        package var answerTimeout = Duration.seconds(10)

        package init(servers: String) { self.servers = servers }

        /// Whether this build has the trait.
        package static var isAvailable: Bool {
            #if NATS
                true
            #else
                false
            #endif
        }

        /// What to do without the trait.
        package static let isMissing = "this collector was built without the package trait NATS; build it with --traits Collector,NATS"
    }

    /// The forwarder of a collector; without the trait `NATS` it does nothing.
    final class StreamForwarding: Sendable {
        let settings: ForwardingSettings

        /// How far the stream is.
        struct State: Sendable {
            /// Batches up to this receipt are in the stream.
            var receipt: Int64 = 0
            var events: Int64 = 0
            var messages: Int64 = 0
            var failures: Int64 = 0
            /// Why nothing is forwarded at the moment; nil if it is.
            var problem: String?
        }

        #if NATS
            private let forwarder: EventForwarder

            /// - Throws: ``StoreError``.
            init(
                _ store: BatchStore, folder: String, _ settings: ForwardingSettings, _ logger: Logger
            ) throws(StoreError) {
                self.settings = settings
                var stream = JetStream.Options(servers: settings.servers, name: "collector")
                (stream.credentials, stream.authority) = (settings.credentials, settings.authority)
                var options = EventForwarder.Options(stream: stream)
                (options.partitions, options.replicas) = (settings.partitions, settings.replicas)
                forwarder = try EventForwarder(store, path: "\(folder)/forwarded.json", options) { body in
                    // The singleton pool never shuts down.
                    _ = try? await NIOThreadPool.singleton.runIfActive { body() }
                } report: { message in
                    logger.error("\(message)")
                }
            }

            var state: State {
                let progress = forwarder.progress
                return State(
                    receipt: progress.receipt, events: progress.events, messages: progress.messages,
                    failures: progress.failures, problem: progress.problem)
            }

            func run() async { await forwarder.run() }

            /// Waits until a batch is in the stream.
            ///
            /// - Returns: Whether it is. false after ``ForwardingSettings/answerTimeout``.
            func wait(for receipt: Int64) async -> Bool {
                await withTaskGroup(of: Bool.self) { [forwarder, settings] group in
                    group.addTask {
                        var seen: UInt64 = 0
                        while forwarder.progress.receipt < receipt, !Task.isCancelled {
                            seen = await forwarder.changes.next(after: seen)
                        }
                        return forwarder.progress.receipt >= receipt
                    }
                    group.addTask {
                        try? await Task.sleep(for: settings.answerTimeout)
                        return forwarder.progress.receipt >= receipt
                    }
                    defer { group.cancelAll() }
                    return await group.next() ?? false
                }
            }
        #else
            init(
                _ store: BatchStore, folder: String, _ settings: ForwardingSettings, _ logger: Logger
            ) throws(StoreError) {
                throw StoreError(.cannotOpen, "cannot forward: \(ForwardingSettings.isMissing)")
            }

            var state: State { State() }

            func run() async {}

            func wait(for receipt: Int64) async -> Bool { false }
        #endif
    }
#endif
