/// The current activities of a sender, whose threads work concurrently.
package struct Activity: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The sender's own code has started; before that, the system loads it.
    package static let started = Activity(rawValue: 1)
    /// While opening the log.
    package static let opening = Activity(rawValue: 2)
    /// From the first event to the last.
    package static let sending = Activity(rawValue: 4)
    /// During a flush that the sender requested.
    package static let flushing = Activity(rawValue: 8)
    /// In the sink.
    package static let delivering = Activity(rawValue: 16)
    /// During a delivery that first finishes a file.
    package static let rotating = Activity(rawValue: 32)
    /// During a checkpoint that the sender requested.
    package static let checkpointing = Activity(rawValue: 64)
    /// While closing the log.
    package static let closing = Activity(rawValue: 128)
    /// The log is closed, and all work is done.
    package static let finished = Activity(rawValue: 256)
    /// From the end of a delivery to the file sink until its next delivery. First, the log stores the sink's cursor.
    package static let delivered = Activity(rawValue: 512)
}
