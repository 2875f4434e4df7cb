package import EventModel

/// The delivery state of a consumer, for tools.
package struct DeliverySummary: Hashable, Sendable {
    /// Why delivery has stopped until a person acts; nil if it has not stopped. A single event is tried after the pause.
    package let halt: String?
    /// Failures since the last success.
    package let failures: Int
    /// When the consumer is tried again; nil without a pause.
    package let pausedUntil: EventTime?
    /// How many sealed batches were given up.
    package let voided: Int
    /// The ids of the latest given-up batches whose delivery was not answered: the consumer may have received their
    /// events.
    package let unanswered: [String]

    /// Parses the column `state`; nil gives an empty summary.
    package init(_ text: String?) {
        let state = DeliveryState(text)
        halt = state.halt
        failures = state.failures
        pausedUntil = state.pause.map { EventTime(microseconds: $0.setAt + $0.length - $0.waited) }
        voided = state.voidedCount
        unanswered = state.voided.map(\.id)
    }
}
