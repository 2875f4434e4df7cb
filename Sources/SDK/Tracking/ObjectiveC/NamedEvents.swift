internal import Foundation
internal import Primitives
internal import TrackingCore

/// Sends events by name, for languages that can't use the event types. The types are registered, and validate the
/// properties.
struct NamedEvents: Sendable {
    private typealias Sender = @Sendable (Tracker, [String: Any]) throws -> TrackingReceipt?

    let tracker: Tracker
    private let senders = Locked<[String: Sender]>([:])

    init(_ tracker: Tracker) { self.tracker = tracker }

    /// Registers a type under its name.
    func register<Event: TrackingEvent & Decodable>(_ type: Event.Type) {
        register(type) { properties in
            try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: properties))
        }
    }

    /// Registers a type under its name.
    ///
    /// - Parameter make: Makes an event from a dictionary's JSON, or throws.
    func register<Event: TrackingEvent>(
        _ type: Event.Type, make: @escaping @Sendable (_ properties: [String: Any]) throws -> Event
    ) {
        senders.withLock { $0[type.name] = { tracker, properties in tracker.send(try make(properties)) } }
    }

    /// Sends an event.
    ///
    /// - Returns: Whether the log has the event. Otherwise the drop is counted: ``/EventLog/DropReason/invalidName`` if no type
    ///   of that name is registered, ``/EventLog/DropReason/encoding`` if its type rejects the properties.
    func send(_ name: String, _ properties: [String: Any]) -> Bool {
        guard let sender = senders.withLock({ $0[name] }) else {
            tracker.drop(name, .invalidName)
            return false
        }
        // JSONSerialization traps on invalid objects.
        guard JSONSerialization.isValidJSONObject(properties) else {
            tracker.drop(name, .encoding)
            return false
        }
        do { return try sender(tracker, properties) != nil } catch {
            tracker.drop(name, .encoding)  // the error's text may contain property values
            return false
        }
    }
}
