/// What a sender is doing at a moment; several at once, as several threads work.
package struct Activity: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The sender's own code has begun; before that, the system is loading it.
    package static let started = Activity(rawValue: 1)
    /// Within the opening of the log.
    package static let opening = Activity(rawValue: 2)
    /// From the first event to the last.
    package static let sending = Activity(rawValue: 4)
    /// Within a flush that the sender asked for.
    package static let flushing = Activity(rawValue: 8)
    /// Within the sink.
    package static let delivering = Activity(rawValue: 16)
    /// Within a delivery that has to finish a file first.
    package static let rotating = Activity(rawValue: 32)
    /// Within a checkpoint of the database that the sender asked for.
    package static let checkpointing = Activity(rawValue: 64)
    /// Within the closing of the log.
    package static let closing = Activity(rawValue: 128)
    /// The log is closed, all is done.
    package static let finished = Activity(rawValue: 256)
}
