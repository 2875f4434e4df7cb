internal import DeliveryProtocol
internal import EventModel

/// The switches of a document as events need them.
final class ActiveSwitches: Sendable {
    let document: SwitchesDocument
    private let rate: SendingRate?

    init(_ document: SwitchesDocument) {
        self.document = document
        rate = document.sendingLimit.map { SendingRate(SendingLimit(eventsPerSecond: $0)) }
    }

    func isExpired(at time: EventTime) -> Bool { document.isExpired(at: time) }

    /// Whether events with this name are off.
    func isOff(_ name: String) -> Bool { !document.isEnabled || document.off.contains(name) }

    /// Counts an event, unless the document's limit for this second is reached.
    func allows(at time: EventTime) -> Bool { rate?.allows(at: time) ?? true }
}
