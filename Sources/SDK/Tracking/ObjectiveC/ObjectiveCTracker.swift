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
    /// Events keep their types: register them in Swift, see ``register(_:)``. Any method may be called from any thread.
    @objc(TRKTracker)
    public final class ObjectiveCTracker: NSObject, Sendable {
        private let events: NamedEvents

        /// Makes it of a tracker in Swift: both are the same tracker.
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

        /// Makes an event type known under its name, so that ``send(_:properties:)`` sends it.
        public func register<Event: TrackingEvent & Decodable>(_ type: Event.Type) { events.register(type) }

        /// Makes an event type known under its name.
        ///
        /// - Parameter make: Makes an event of a dictionary that is JSON; throws if it can't.
        public func register<Event: TrackingEvent>(
            _ type: Event.Type, make: @escaping @Sendable (_ properties: [String: Any]) throws -> Event
        ) { events.register(type, make: make) }

        /// Sends an event by its name.
        ///
        /// - Returns: Whether the log has it. Otherwise it is a counted drop: no type of that name is registered, or its type
        ///   rejects the properties.
        @objc(sendEvent:properties:)
        @discardableResult
        public func send(_ name: String, properties: [String: Any]) -> Bool { events.send(name, properties) }

        /// Sends `page-view`.
        @objc(sendPageView:additional:)
        public func sendPageView(_ page: String, additional: String?) {
            events.tracker.send(PageView(page: page, additional: additional))
        }

        /// Sets the user of all events from now on; see `Tracker.identify(_:)`.
        ///
        /// - Returns: Whether the id has 1 to 128 characters.
        @objc(identify:)
        @discardableResult
        public func identify(_ userID: String) -> Bool { events.tracker.identify(userID) }

        /// Forgets the user; see `Tracker.reset()`.
        @objc
        public func reset() { events.tracker.reset() }

        /// Opts the user out, or in again; see `Tracker.setOptedOut(_:)`.
        @objc(setOptedOut:completionHandler:)
        public func setOptedOut(_ isOptedOut: Bool) async throws { try await events.tracker.setOptedOut(isOptedOut) }

        /// Delivers what each sink has not had yet; see `Tracker.flush()`.
        @objc(flushWithCompletionHandler:)
        public func flush() async { await events.tracker.flush() }
    }
#endif
