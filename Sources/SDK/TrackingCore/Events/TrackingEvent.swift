public import EventLog
public import EventModel
public import JSONLines

/// An event to record. Declare your own types in addition to the five that the SDK includes:
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
/// The output of `encode(to:)` becomes the event's `value` on the wire. Name, version, ``carriesValue``, ``priority``,
/// ``isPlanned`` and ``purpose`` belong to the type: an environment reads them once.
public protocol TrackingEvent: Encodable, Sendable {
    /// The name on the wire: kebab-case (`a-z`, `0-9`, single hyphens, starting with a letter), at most 64 bytes.
    static var name: String { get }

    /// The version of the event's schema. Default 1-0-0.
    static var schemaVersion: SchemaVersion { get }

    /// Whether the event has a `value` on the wire. Default true.
    static var carriesValue: Bool { get }

    /// Whether memory is reserved for events of this type when the log cannot be written fast enough. Default normal.
    static var priority: EventPriority { get }

    /// Whether the tracking plan has a schema for events of this type. Default true.
    ///
    /// An event without a schema is *unplanned*: an experiment, or a stopgap until its schema is written. It is sent
    /// only if the app allows it with ``UnplannedEvents/allowed``, and its line then has `"unplanned":true`. Otherwise
    /// it is dropped and counted as ``/EventLog/DropReason/unplanned``. The build generates such types from
    /// `Schemas/unplanned.json`.
    static var isPlanned: Bool { get }

    /// Why events of this type are collected: people agree to each purpose separately. Default
    /// ``/EventModel/Purpose/analytics``.
    static var purpose: Purpose { get }

    /// Writes the event's `value`, a JSON object. The default implementation encodes the event. Implement it yourself
    /// to be faster, and write the same value.
    ///
    /// - Throws: Any error that prevents encoding. The event is then dropped and counted.
    func writeValue(to json: inout JSONWriter) throws

    /// Checks the properties against the schema limits that Swift types cannot express. Generated events are checked
    /// when they are written, and dropped and counted if they violate a limit. Call `validate()` to find out earlier.
    ///
    /// - Throws: ``TrackingEventError`` with the first property that violates a limit.
    func validate() throws(TrackingEventError)
}

extension TrackingEvent {
    public static var schemaVersion: SchemaVersion { SchemaVersion(1, 0, 0) }

    public static var carriesValue: Bool { true }

    public static var priority: EventPriority { .normal }

    public static var isPlanned: Bool { true }

    public static var purpose: Purpose { .analytics }

    public func writeValue(to json: inout JSONWriter) throws {
        try JSONLineEncoder.writeLocating(self, to: &json)
    }

    public func validate() throws(TrackingEventError) {}

    /// Returns the event itself if it is within the limits of its schema.
    ///
    /// ```swift
    /// tracking.send(try Search(query: text, page: 1).validated())
    /// ```
    ///
    /// - Throws: ``TrackingEventError`` with the first property that violates a limit.
    public func validated() throws(TrackingEventError) -> Self {
        try validate()
        return self
    }
}

/// Whether events without a schema in the tracking plan are sent. Their type declares ``TrackingEvent/isPlanned`` as
/// false.
public enum UnplannedEvents: Hashable, Sendable {
    /// Drops them before they are encoded, and counts them as ``/EventLog/DropReason/unplanned``.
    case rejected
    /// Sends them, with `"unplanned":true` in their lines.
    case allowed
}
