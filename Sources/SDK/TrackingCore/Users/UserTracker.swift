public import EventLog
public import EventModel

/// Sends events of one user of a server. Made by ``Tracker/as(user:)``.
///
/// ```swift
/// tracker.as(user: session.customerID)?.send(.checkoutCompleted(items: 3))
/// ```
///
/// A small value without state: make one for each request. Events go to the tracker's log, with a session and a consent
/// that belong to the user only. Call the methods on any thread.
public struct UserTracker: Sendable {
    let tracker: Shared
    let user: User

    /// What all users of a tracker share: one reference, since a request makes a copy.
    final class Shared: Sendable {
        let creator: TrackingActionCreator
        let tape: EnvironmentTape?

        init(_ creator: TrackingActionCreator, _ tape: EnvironmentTape?) {
            self.creator = creator
            self.tape = tape
        }
    }

    /// The user's id: `user_id` of the events.
    public var userID: String { user.id }

    /// Sends an event of the user; see ``Tracker/send(_:)``. Does no I/O, and waits for no lock that is held over I/O.
    ///
    /// The first event of a user starts a session, as does one after 30 minutes without an event or 24 hours. The sessions
    /// of the last `TrackingConfiguration.cachedUsers` users are in memory; another user's next event starts a session,
    /// as does each user's after a restart.
    ///
    /// - Returns: The event's receipt, or nil if the event was dropped.
    @discardableResult
    public func send<Event: TrackingEvent>(_ event: Event) -> TrackingReceipt? {
        tracker.creator.send(event, as: user, claim: nil)
    }

    /// Sends an event of the user and waits until it has the requested durability; see ``Tracker/send(_:reaching:)``.
    ///
    /// - Returns: The event's receipt with at least the requested durability; nil if the event was dropped.
    /// - Throws: ``/EventLog/EventLogError``, or the error of ``Tracker/opened()``. The event was accepted in this case, too.
    @discardableResult
    public func send<Event: TrackingEvent>(
        _ event: Event, reaching durability: Durability
    ) async throws -> TrackingReceipt? {
        try await tracker.creator.send(event, as: user, reaching: durability)
    }

    /// The user's consent to analytics in effect, and whether the user has answered. Without an answer, it follows from the
    /// policy; with ``/EventLog/ConsentScope/device``, it is the log's. Does no I/O.
    public var consent: ConsentStatus { consent(for: .analytics) }

    /// The same for another purpose.
    public func consent(for purpose: Purpose) -> ConsentStatus {
        tracker.creator.pipeline.sender.status(for: purpose, of: user.id)
    }

    /// Stores the user's answer; see ``Tracker/setConsent(_:for:)``. In effect immediately, in every process that uses the
    /// log; survives restarts. Answers of many users that arrive at the same time are stored together, and denials share one
    /// pass over the undelivered events: the method returns after that pass.
    ///
    /// - Parameter purposes: nil for all.
    /// - Throws: ``/EventLog/EventLogError`` if the answer could not be stored, or not all events could be removed; the error
    ///   of ``Tracker/opened()``. Call the method again. Even then, the answer is in effect until the process ends.
    public func setConsent(_ choice: ConsentChoice, for purposes: [Purpose]? = nil) async throws {
        let stored = Awaited<Void>()
        TrackingInput.consent(choice, for: purposes, of: user.id).record(on: tracker.tape) {
            tracker.creator.pipeline.answer(choice, for: purposes, of: user.id, stored: stored)
        }
        try await stored.value
    }
}

extension Tracker {
    /// A tracker of one user of a server: same log, but a separate user, session and consent. Nothing is inherited: neither
    /// an answer nor a session of the tracker's own person is the user's, or the other way round.
    ///
    /// The call is cheap, so make a value for each request:
    ///
    /// ```swift
    /// tracker.as(user: request.userID)?.send(.searched(query: query))
    /// ```
    ///
    /// - Parameter user: 1 to 128 characters without control characters.
    /// - Returns: nil if the id is not valid.
    public func `as`(user: String) -> UserTracker? {
        guard Self.isValid(user: user) else { return nil }
        return UserTracker(tracker: users, user: User(user))
    }
}

extension TrackingPipeline {
    /// Applies an answer of a user, or of the present person.
    func answer(_ choice: ConsentChoice, for purposes: [Purpose]?, of user: String?, stored: Awaited<Void>) {
        let user = sender.scope == .device ? nil : user
        // Read without a lock, since it is the app's clock.
        sender.perform(.answer(choice, for: purposes, at: now, of: user, stored: stored))
    }
}
