#if Collector && !NATS
    internal import CollectorStore
    internal import Logging

    /// In the place of the forwarder, without the package trait `NATS`: it cannot be made.
    final class StreamForwarding: Sendable {
        let settings: ForwardingSettings

        init(
            _ store: BatchStore, folder: String, _ settings: ForwardingSettings, _ logger: Logger
        ) throws(StoreError) {
            throw StoreError(.cannotOpen, "cannot forward: \(ForwardingSettings.isMissing)")
        }

        var state: ForwardingState { ForwardingState() }

        func run() async {}

        func wait(for receipt: Int64) async -> Bool { false }
    }
#endif
