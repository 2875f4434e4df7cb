#if Collector && !NATS
    internal import CollectorStore
    internal import Logging

    /// Replaces the forwarder in builds without the package trait `NATS`. Making one fails.
    final class StreamForwarding: Sendable {
        let settings: ForwardingSettings

        init(
            _ store: BatchStore, folder: String, _ settings: ForwardingSettings, _ logger: Logger
        ) throws(StoreError) {
            throw StoreError(.cannotOpen, "cannot forward: \(ForwardingSettings.isMissing)")
        }

        var state: ForwardingState { ForwardingState() }

        func run() async {}

        func verdict(on installID: String) -> ForwardingVerdict? { nil }

        func wait(for receipt: Int64) async -> Bool { false }
    }
#endif
