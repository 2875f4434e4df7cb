package import EventModel

/// What a consumer's row says of its deliveries, for tools that look at a log.
package struct DeliverySummary: Hashable, Sendable {
    /// Why nothing is delivered until the app is started again or flushes by hand; nil if that is not so.
    package let halt: String?
    /// Failures since the last success.
    package let failures: Int
    /// When the consumer is tried again; nil if it doesn't wait.
    package let pausedUntil: EventTime?
    /// How many batches were given up since they were sealed.
    package let voided: Int
    /// The ids of those among the last of them that were delivered without an answer: the consumer may have their events.
    package let unanswered: [String]

    /// Reads the column `state`; nil says nothing.
    package init(_ text: String?) {
        let state = DeliveryState(text)
        halt = state.halt
        failures = state.failures
        pausedUntil = state.pause.map { EventTime(microseconds: $0.setAt + $0.length) }
        voided = state.voidedCount
        unanswered = state.voided.map(\.id)
    }
}
