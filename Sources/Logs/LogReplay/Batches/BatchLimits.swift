/// When a batch is full.
package struct BatchLimits: Sendable, Equatable {
    /// Events at most.
    package var events: Int
    /// Bytes at most, line feeds included; a longer line goes alone.
    package var bytes: Int
    /// How long after the first event of a batch its last one may be due.
    package var linger: Duration

    package init(events: Int, bytes: Int, linger: Duration) {
        self.events = events
        self.bytes = bytes
        self.linger = linger
    }
}
