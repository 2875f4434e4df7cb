public import TrackingCore

/// Which events an expectation takes: one event exactly, or any of a type that has certain properties.
///
/// ```swift
/// recorder.expect(matching: .event(.launch), .any(Search.self, \.page, is: 2), .any(PageView.self))
/// ```
public struct EventPattern: Sendable, CustomStringConvertible {
    let matches: @Sendable (TrackingContainer) -> Bool
    /// The type of the events that it takes.
    let type: any TrackingEvent.Type
    private let words: @Sendable () -> String

    // The words are made when a failure needs them, as those of a step.
    private init(
        _ type: any TrackingEvent.Type, description: @autoclosure @escaping @Sendable () -> String,
        matches: @escaping @Sendable (TrackingContainer) -> Bool
    ) {
        self.type = type
        self.matches = matches
        words = description
    }

    /// What it takes, in a line: an event as JSON, with what was hashed behind each hash, or its name and its conditions.
    public var description: String { words() }

    /// This event: name, members, values and their order.
    public static func event(_ event: some TrackingEvent) -> EventPattern {
        let fired = FiredEvent(event)
        return EventPattern(Swift.type(of: event), description: EventText.text(event)) {
            FiredEvent(container: $0) == fired
        }
    }

    /// Any event of a type.
    public static func any<Event: TrackingEvent>(_ type: Event.Type) -> EventPattern {
        EventPattern(type, description: "any \(type.name)") { $0.event(as: type) != nil }
    }

    /// An event of a type with this value of a property.
    public static func any<Event: TrackingEvent, Value: Equatable & Sendable>(
        _ type: Event.Type, _ property: any KeyPath<Event, Value> & Sendable, is value: Value
    ) -> EventPattern {
        EventPattern(type, description: "any \(type.name) with \(Self.name(of: property)) \(String(reflecting: value))")
        {
            $0.event(as: type)?[keyPath: property] == value
        }
    }

    /// An event of a type for which a condition holds.
    ///
    /// ```swift
    /// let page = viewModel.page  // what belongs to an actor is read before
    /// recorder.expect(matching: .any(Search.self, "page is the shown one") { $0.page == page })
    /// ```
    ///
    /// - Parameters:
    ///   - words: What a failure says of the condition.
    ///   - condition: Called once or several times with each event of the type; it must not change anything.
    public static func any<Event: TrackingEvent>(
        _ type: Event.Type, _ words: String? = nil, where condition: @escaping @Sendable (Event) -> Bool
    ) -> EventPattern {
        EventPattern(type, description: "any \(type.name) for which \(words ?? "the condition holds")") {
            $0.event(as: type).map(condition) ?? false
        }
    }

    private static func name(of property: AnyKeyPath) -> String {
        let text = "\(property)"  // \Search.page
        return text.firstIndex(of: ".").map { String(text[text.index(after: $0)...]) } ?? text
    }
}

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
        var value = JSONWriter()
        do {
            try event.writeValue(to: &value)
        } catch {
            let reason = (error as? TrackingEventError)?.description ?? EncodingFailure(error, in: value).description
            return "\(Event.name), which is dropped when it is sent: \(reason)"
        }
        json.key("value")
        json.value(value.bytes)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
