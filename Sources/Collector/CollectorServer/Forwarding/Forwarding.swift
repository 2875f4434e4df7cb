package import CollectorStore
package import Logging

/// Forwards what a collector stores. Thread-safe.
package protocol Forwarding: Sendable {
    /// Opens the forwarder of a store.
    ///
    /// - Parameter folder: The collector's data folder.
    typealias Maker =
        @Sendable (_ store: BatchStore, _ folder: String, _ logger: Logger) throws(StoreError) ->
        any Forwarding

    /// Whether a batch is answered only after the stream has it.
    var answersWhenReplicated: Bool { get }

    var state: ForwardingState { get }

    /// Forwards, and reads verdicts, until the store is closed or the task is cancelled.
    func run() async

    /// What to apply to the next answers to an install; nil for nothing.
    func verdict(on installID: String) -> ForwardingVerdict?

    /// Findings about messages that the stream does not accept.
    func findings() -> [StoreFinding]

    /// Waits until a batch is in the stream, for a limited time.
    ///
    /// - Returns: Whether it is.
    func wait(for receipt: Int64) async -> Bool
}

/// What the loaders found out about an install from the batches of all collectors.
package struct ForwardingVerdict: Sendable {
    /// Numbers to request.
    package var missing: [ClosedRange<Int64>]
    /// Whether two devices use the install.
    package var isForked: Bool
    /// The SHA-256 of the only valid secret; empty if any is.
    package var secretHash: [UInt8]

    /// Whether it is about the devices that use the install, not only about numbers.
    var concernsDevices: Bool { isForked || !secretHash.isEmpty }

    package init(missing: [ClosedRange<Int64>], isForked: Bool, secretHash: [UInt8]) {
        self.missing = missing
        self.isForked = isForked
        self.secretHash = secretHash
    }
}

/// How far a forwarder is.
package struct ForwardingState: Sendable {
    /// Batches up to this receipt are in the stream.
    package var receipt: Int64 = 0
    /// Events and messages that were published since the start.
    package var events: Int64 = 0
    package var messages: Int64 = 0
    /// Attempts that failed since the start.
    package var failures: Int64 = 0
    /// Why nothing is forwarded at the moment; nil if it is.
    package var problem: String?
    /// The longest line that the stream accepts, in bytes; nil if it is not known yet.
    package var maximumLine: Int?

    package init() {}
}
