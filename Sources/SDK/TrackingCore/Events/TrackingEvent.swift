public import EventLog
public import JSONLines

/// Something worth recording. An app declares its own beside the five that come with the SDK:
///
/// ```swift
/// struct CheckoutCompleted: TrackingEvent {
///     static let name = "checkout-completed"
///     let items: Int
/// }
///
/// extension TrackingEvent where Self == CheckoutCompleted {
///     static func checkoutCompleted(items: Int) -> Self { CheckoutCompleted(items: items) }
/// }
///
/// tracking.send(.checkoutCompleted(items: 3))
/// // … "schema":"checkout-completed/1-0-0","event":{"name":"checkout-completed","value":{"items":3}}}
/// ```
///
/// What `encode(to:)` encodes becomes the `value` of the event on the wire. Name, version, ``carriesValue``, ``priority`` and
/// ``isPlanned`` are those of the type: an environment asks for them once.
public protocol TrackingEvent: Encodable, Sendable {
    /// The name on the wire: kebab-case (`a-z`, `0-9`, single hyphens, a letter first), at most 64 bytes.
    static var name: String { get }

    /// The version of the event's schema; 1-0-0 unless declared.
    static var schemaVersion: SchemaVersion { get }

    /// Whether the event has a `value` on the wire; true unless declared.
    static var carriesValue: Bool { get }

    /// Whether room is kept for events of this type while the log cannot be written fast enough; normal unless declared.
    static var priority: EventPriority { get }

    /// Whether the tracking plan has a schema for events of this type; true unless declared.
    ///
    /// An event without one is *unplanned*: an experiment, or a stopgap until its schema is written. It is only sent where the
    /// app allows it, with ``UnplannedEvents/allowed``, and its line is marked with `"unplanned":true`. Elsewhere it is a
    /// counted drop, ``DropReason/unplanned``. The build generates such types from `Schemas/unplanned.json`.
    static var isPlanned: Bool { get }

    /// Writes the event's `value`, a JSON object. The standard implementation encodes the event; one of your own
    /// is faster and must write the same value.
    ///
    /// - Throws: Whatever keeps the event from being JSON; it is then a counted drop.
    func writeValue(to json: inout JSONWriter) throws

    /// Checks the properties against the limits of the event's schema that their types cannot hold. Generated events
    /// check themselves when they are written: one past its limits is a counted drop. Ask earlier to hear of it earlier.
    ///
    /// - Throws: ``TrackingEventError`` with the first property that is past a limit.
    func validate() throws(TrackingEventError)
}

extension TrackingEvent {
    public static var schemaVersion: SchemaVersion { SchemaVersion(1, 0, 0) }

    public static var carriesValue: Bool { true }

    public static var priority: EventPriority { .normal }

    public static var isPlanned: Bool { true }

    public func writeValue(to json: inout JSONWriter) throws {
        try JSONLineEncoder.writeLocating(self, to: &json)
    }

    public func validate() throws(TrackingEventError) {}

    /// The event itself, if it is within the limits of its schema.
    ///
    /// ```swift
    /// tracking.send(try Search(query: text, page: 1).validated())
    /// ```
    ///
    /// - Throws: ``TrackingEventError`` with the first property that is past a limit.
    public func validated() throws(TrackingEventError) -> Self {
        try validate()
        return self
    }
}
