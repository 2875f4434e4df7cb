public import TrackingCore

/// Matches events: an exact event, or events of a type with certain properties.
///
/// ```swift
/// recorder.expect(matching: .event(.launch), .any(Search.self, \.page, is: 2), .any(PageView.self))
/// ```
public struct EventPattern: Sendable, CustomStringConvertible {
    let matches: @Sendable (EventStep) -> Bool
    let type: any TrackingEvent.Type
    /// Whose events match; nil for all.
    let sender: EventSender?
    private let makeDescription: @Sendable () -> String

    // The description is built when a failure needs it, like that of a step.
    private init(
        _ type: any TrackingEvent.Type, by sender: EventSender? = nil,
        description: @autoclosure @escaping @Sendable () -> String, matches: @escaping @Sendable (EventStep) -> Bool
    ) {
        self.type = type
        self.sender = sender
        self.matches = matches
        makeDescription = description
    }

    /// The pattern in one line: for an exact event, its JSON, in which each hashed property is followed by its original
    /// text; otherwise the event's name and conditions.
    public var description: String { makeDescription() }

    /// Matches this event: name, members, values and their order.
    public static func event(_ event: some TrackingEvent) -> EventPattern {
        let fired = FiredEvent(event)
        return EventPattern(Swift.type(of: event), description: EventText.text(event)) {
            FiredEvent(container: $0.container) == fired
        }
    }

    /// Matches any event of a type.
    public static func any<Event: TrackingEvent>(_ type: Event.Type) -> EventPattern {
        EventPattern(type, description: "any \(type.name)") { $0.container.event(as: type) != nil }
    }

    /// Matches events of a type with this value of a property.
    public static func any<Event: TrackingEvent, Value: Equatable & Sendable>(
        _ type: Event.Type, _ property: any KeyPath<Event, Value> & Sendable, is value: Value
    ) -> EventPattern {
        EventPattern(type, description: "any \(type.name) with \(Self.name(of: property)) \(String(reflecting: value))")
        {
            $0.container.event(as: type)?[keyPath: property] == value
        }
    }

    /// Matches events of a type for which a condition is true.
    ///
    /// ```swift
    /// let page = viewModel.page  // read an actor's values first
    /// recorder.expect(matching: .any(Search.self, "page is the shown one") { $0.page == page })
    /// ```
    ///
    /// - Parameters:
    ///   - description: The description of the condition in failures.
    ///   - condition: Called once or several times with each event of the type. It must not change anything.
    public static func any<Event: TrackingEvent>(
        _ type: Event.Type, _ description: String? = nil, where condition: @escaping @Sendable (Event) -> Bool
    ) -> EventPattern {
        EventPattern(type, description: "any \(type.name) for which \(description ?? "the condition is true")") {
            $0.container.event(as: type).map(condition) ?? false
        }
    }

    /// Matches the same events if this person sent them.
    public func by(_ sender: EventSender) -> EventPattern {
        EventPattern(type, by: sender, description: "\(self) \(sender)") { sender.matches($0) && matches($0) }
    }

    private static func name(of property: AnyKeyPath) -> String {
        let text = "\(property)"  // \Search.page
        return text.firstIndex(of: ".").map { String(text[text.index(after: $0)...]) } ?? text
    }
}

/// An event as a test compares it: by its bytes on the wire, which include name, members, values and order.
public struct FiredEvent: Equatable, Sendable, CustomStringConvertible {
    /// The member `event` of the line, such as `{"name":"launch"}`.
    public let description: String

    /// Compares bytes: Swift strings can be equal with different scalars.
    public static func == (left: Self, right: Self) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// Makes an expected event.
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
