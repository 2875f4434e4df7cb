internal import EventModel

/// An event as Swift: a struct that conforms to `TrackingEvent`.
struct EventType {
    /// The name on the wire.
    let name: String
    let version: SchemaVersion
    /// The schema's place in its folder: `events/search/1-0-0.json`.
    let path: String
    /// The static function or property that makes it: `pageView`.
    let factoryName: String
    /// Whether it has a value on the wire. If not, `value` is without members.
    let carriesValue: Bool
    /// The struct itself, with the event's name and description.
    let value: ObjectType
    /// The events that the schema gives as examples, values of the schema's document.
    let examples: [SchemaPlace]
}
