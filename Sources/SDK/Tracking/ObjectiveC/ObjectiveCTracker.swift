#if canImport(ObjectiveC)
    public import Foundation
    public import TrackingCore

    /// A tracker for code in Objective-C.
    ///
    /// ```objc
    /// TRKTracker *tracker = [TRKTracker startWithURL:@"https://collector.example.com/v1/events" key:@"wk_…"];
    /// [tracker sendEvent:@"checkout-completed" properties:@{@"items": @3}];
    /// ```
    ///
    /// Events stay typed: register each event type in Swift with ``register(_:)``. Call the methods on any thread.
    @objc(TRKTracker)
    public final class ObjectiveCTracker: NSObject, Sendable {
        private let events: NamedEvents

        /// Makes an Objective-C interface to a Swift tracker.
        public init(_ tracker: Tracker) { events = NamedEvents(tracker) }

        /// Starts tracking, with delivery over HTTP. Never fails and never blocks; see `Tracker.start`.
        ///
        /// - Parameters:
        ///   - url: The collector's `POST /v1/events`.
        ///   - key: The write key.
        @objc(startWithURL:key:)
        public static func start(url: String, key: String) -> ObjectiveCTracker {
            ObjectiveCTracker(Tracker.start(.http(url, key: key)))
        }

        /// Registers an event type under its name, so that ``send(_:properties:)`` can send it.
        public func register<Event: TrackingEvent & Decodable>(_ type: Event.Type) { events.register(type) }

        /// Registers an event type under its name.
        ///
        /// - Parameter make: Makes an event from a JSON dictionary, or throws.
        public func register<Event: TrackingEvent>(
            _ type: Event.Type, make: @escaping @Sendable (_ properties: [String: Any]) throws -> Event
        ) { events.register(type, make: make) }

        /// Sends an event by its name.
        ///
        /// - Returns: Whether the log has the event. Otherwise the drop is counted: no type of that name is registered,
        ///   or its type rejects the properties.
        @objc(sendEvent:properties:)
        @discardableResult
        public func send(_ name: String, properties: [String: Any]) -> Bool { events.send(name, properties) }

        /// Sends `page-view`.
        @objc(sendPageView:additional:)
        public func sendPageView(_ page: String, additional: String?) {
            events.tracker.send(PageView(page: page, additional: additional))
        }

        /// Sets the user of all later events; see `Tracker.identify(_:)`.
        ///
        /// - Returns: Whether the id has 1 to 128 characters without control characters.
        @objc(identify:)
        @discardableResult
        public func identify(_ userID: String) -> Bool { events.tracker.identify(userID) }

        /// Forgets the user; see `Tracker.reset()`.
        @objc
        public func reset() { events.tracker.reset() }

        /// Stores the person's answer; see `Tracker.setConsent(_:for:)`.
        @objc(setConsentGranted:completionHandler:)
        public func setConsent(isGranted: Bool) async throws {
            try await events.tracker.setConsent(isGranted ? .granted : .denied)
        }

        /// Stores the person's answer for some purposes; see `Tracker.setConsent(_:for:)`.
        ///
        /// - Parameter purposes: The purposes' names in the plan, such as `ads`.
        @objc(setConsentGranted:forPurposes:completionHandler:)
        public func setConsent(isGranted: Bool, for purposes: [String]) async throws {
            try await events.tracker.setConsent(
                isGranted ? .granted : .denied, for: purposes.map { Purpose($0) })
        }

        /// Whether events of a purpose are stored and delivered; see `Tracker.consent(for:)`.
        @objc(isConsentGrantedForPurpose:)
        public func isConsentGranted(for purpose: String) -> Bool {
            events.tracker.consent(for: Purpose(purpose)).isGranted
        }

        /// Whether the present person has answered for a purpose; see `Tracker.consent(for:)`.
        @objc(isConsentAnsweredForPurpose:)
        public func isConsentAnswered(for purpose: String) -> Bool {
            events.tracker.consent(for: Purpose(purpose)).isAnswered
        }

        /// Whether events are stored and delivered; see `Tracker.consent`.
        @objc public var isConsentGranted: Bool { events.tracker.consent.isGranted }

        /// Whether the present person has answered; see `Tracker.consent`.
        @objc public var isConsentAnswered: Bool { events.tracker.consent.isAnswered }

        /// Deletes a user's events of this install; see `Tracker.erase(user:)`.
        ///
        /// - Returns: Whether no sink has any of them. Otherwise the sinks are asked again by the next flush.
        @objc(eraseUser:completionHandler:)
        public func erase(user: String) async throws -> Bool {
            try await events.tracker.erase(user: user).isComplete
        }

        /// Delivers pending events to each sink; see `Tracker.flush()`.
        @objc(flushWithCompletionHandler:)
        public func flush() async { await events.tracker.flush() }
    }
#endif
