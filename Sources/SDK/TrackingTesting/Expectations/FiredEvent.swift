public import Tracking

/// An event as a test compares it: by its bytes on the wire, so that name, members, values and order count.
public struct FiredEvent: Equatable, Sendable, CustomStringConvertible {
    /// The member `event` of the line, such as `{"name":"launch"}`.
    public let description: String

    /// By bytes: strings are equal that have other characters.
    public static func == (left: Self, right: Self) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// Makes what a test expects.
    public init(_ event: some TrackingEvent) { description = Self.text(event) }

    init(container: TrackingContainer) {
        let event: any TrackingEvent = container.event
        description = Self.text(event)
    }

    private static func text<Event: TrackingEvent>(_ event: Event) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("name")
        json.string(Event.name)
        guard Event.carriesValue else {
            json.endObject()
            return String(decoding: json.bytes, as: UTF8.self)
        }
        json.key("value")
        do {
            try event.writeValue(to: &json)
        } catch {
            return "\(Event.name) cannot be encoded: \(error)"
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
