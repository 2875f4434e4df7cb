public import Flux

/// Records what one environment does and what comes to it: an ``ActionRecorder`` makes it, and a replay.
///
/// An environment that is made with it records its own part: clock, ids, storage, numbers of events, and the actions of
/// Route, Device and Tracking. What else comes from outside, the app says:
///
/// ```swift
/// environment.input(ShopInput.payTapped) { checkout.pay() }          // comes to the app
/// environment.value("country") { Locale.current.identifier }         // is asked for by the app
/// environment.recording?.request("http", url)                        // goes out; its answer is an input
/// environment.recording?.observe(basket.dispatcher, as: "basket")    // a domain of the app's own
/// ```
///
/// **Turns.** Inputs take turns while they are recorded: one that comes while another thread is within an input waits
/// for its end. That is what makes a recording one order that can be played again. So whoever is within an input must
/// not wait for another thread that is about to record one.
///
/// Any thread.
public struct EnvironmentRecording<Command: RouteCommand>: Sendable {
    let tape: EnvironmentTape
    let observeRoute: @Sendable (FluxDispatcher<Command>) -> Void

    package init(_ tape: EnvironmentTape) where Command: Encodable {
        self.tape = tape
        observeRoute = { tape.observe($0, as: "route") }
    }

    /// Records an input, then does what it asks for.
    ///
    /// An input that comes within another one, as an answer that is there at once, is recorded as a part of it.
    ///
    /// - Parameters:
    ///   - input: What came. A replay decodes it, and hands it to the app.
    ///   - perform: Everything that the input causes, to its end: what another thread or a task does later is no part
    ///     of it, and needs an input of its own.
    public func input<Input: Encodable, Result>(_ input: Input, perform: () throws -> Result) rethrows -> Result {
        try tape.input(TapeEntry.app, input, perform: perform)
    }

    /// Draws a value from outside and records it; in a replay, the recorded one comes back instead.
    ///
    /// - Parameters:
    ///   - domain: Where the value comes from, such as `country`.
    ///   - draw: Asks the outside; not called in a replay.
    public func value<Value: Codable>(_ domain: String, draw: () -> Value) -> Value {
        tape.value(domain, draw: draw)
    }

    /// Records that the app asks the outside to do something. In a replay the recorded answers, which are inputs,
    /// come within this call if they did so then: be ready for them before.
    ///
    /// - Parameters:
    ///   - domain: Who is asked, such as `http`.
    ///   - payload: What for; compared in a replay.
    public func request(_ domain: String, _ payload: some Encodable) { tape.note(.request, domain, payload) }

    /// Records every action of one of the app's own domains.
    ///
    /// - Parameters:
    ///   - dispatcher: Fresh: whoever subscribed before sees an action before it is recorded.
    ///   - domain: The domain's name, such as `basket`; not `route`, `device` or `tracking`.
    public func observe<Action: Encodable & Sendable>(_ dispatcher: FluxDispatcher<Action>, as domain: String) {
        tape.observe(dispatcher, as: domain)
    }
}

/// With what an environment was started: the payload of its first entry.
package struct EnvironmentLaunch: Codable, Sendable {
    /// ``TrackingContext``, as far as the app says it.
    package struct Context: Codable, Sendable {
        package let app: String?
        package let os: String?
    }

    package let context: Context?
    package let eventsPerSecond: Int?
    /// Whether it goes on with the session of the log's newest event.
    package let isResumed: Bool
    /// Whether unplanned events are allowed: true, or nil if they aren't.
    package let allowsUnplanned: Bool?

    init(context: TrackingContext?, limit: SendingLimit?, isResumed: Bool, unplanned: UnplannedEvents) {
        self.context = context.map { Context(app: $0.app, os: $0.os) }
        eventsPerSecond = limit?.eventsPerSecond
        self.isResumed = isResumed
        allowsUnplanned = unplanned == .allowed ? true : nil
    }

    private enum CodingKeys: String, CodingKey {
        case context
        case eventsPerSecond = "events_per_second"
        case isResumed = "is_resumed"
        case allowsUnplanned = "allows_unplanned"
    }
}

extension TrackingEnvironment {
    /// Does what an input asks for, and records the input if there is a recording; see
    /// ``EnvironmentRecording/input(_:perform:)``.
    public func input<Input: Encodable, Result>(_ input: Input, perform: () throws -> Result) rethrows -> Result {
        guard let recording else { return try perform() }
        return try recording.input(input, perform: perform)
    }

    /// Draws a value from outside, and records it if there is a recording; see ``EnvironmentRecording/value(_:draw:)``.
    public func value<Value: Codable>(_ domain: String, draw: () -> Value) -> Value {
        guard let recording else { return draw() }
        return recording.value(domain, draw: draw)
    }
}
