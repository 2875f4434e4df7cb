public import EventLog
internal import TrackingCore

/// Whose event is expected: user, session and consent. Parts that you omit may have any value.
///
/// ```swift
/// recorder.expect(.launch, by: "customer-4711")
/// recorder.expect(matching: .any(Search.self).by(EventSender(session: session, consent: .unknown)))
/// ```
public struct EventSender: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let user: String?
    let session: String?
    let consent: Consent?

    /// Makes an expected sender.
    ///
    /// - Parameters:
    ///   - user: The `user_id` of the event: the identified user; before that, the device's id.
    ///   - session: The `session_id` of the event.
    ///   - consent: The person's consent when the event fired: `.granted`, or `.unknown` if the event waited for the
    ///     answer. Events of a person who has denied consent are dropped.
    public init(_ user: String? = nil, session: String? = nil, consent: Consent? = nil) {
        self.user = user
        self.session = session
        self.consent = consent
    }

    /// Makes an expected sender from the `user_id`.
    public init(stringLiteral user: String) { self.init(user) }

    /// The parts in one line: `by "customer-4711" with consent unknown`.
    public var description: String {
        [
            user.map { "by \(String(reflecting: $0))" }, session.map { "in session \(String(reflecting: $0))" },
            consent.map { "with consent \($0)" },
        ].compactMap(\.self).joined(separator: " ")
    }

    func matches(_ event: EventStep) -> Bool {
        user ?? event.container.userID == event.container.userID
            && session ?? event.container.sessionID == event.container.sessionID
            && consent ?? event.consent == event.consent
    }

    /// The parts of an event's sender that this expected sender names.
    func parts(of event: EventStep) -> EventSender {
        EventSender(
            user.map { _ in event.container.userID }, session: session.map { _ in event.container.sessionID },
            consent: consent.map { _ in event.consent })
    }
}

extension [EventPattern] {
    /// The patterns for events of a sender; unchanged without one.
    func by(_ sender: EventSender?) -> [EventPattern] { sender.map { sender in map { $0.by(sender) } } ?? self }
}
