public import Flux

/// Records the actions and the input of one environment. Made by an ``ActionRecorder`` or by a replay.
///
/// An environment with a recording records its own part: clock, ids, storage, event numbers, and the actions of Route,
/// Device and Tracking. Record your app's other input and output yourself:
///
/// ```swift
/// environment.input(ShopInput.payTapped) { checkout.pay() }          // input that the app receives
/// environment.value("country") { Locale.current.identifier }         // a value that the app reads
/// environment.recording?.request("http", url)                        // a request; its response is an input
/// environment.recording?.observe(basket.dispatcher, as: "basket")    // one of the app's own domains
/// ```
///
/// **Turns.** Recorded inputs take turns: an input waits while another thread processes an input. This gives a
/// recording one order that can be replayed. Therefore, while you process an input, never wait for another thread that
/// is about to record one.
///
/// Call the methods on any thread.
public struct EnvironmentRecording<Command: RouteCommand>: Sendable {
    let tape: EnvironmentTape
    let observeRoute: @Sendable (FluxDispatcher<Command>) -> Void

    package init(_ tape: EnvironmentTape) where Command: Encodable {
        self.tape = tape
        observeRoute = { tape.observe($0, as: "route") }
    }

    /// Records an input, then performs its effects.
    ///
    /// An input within another one, such as an immediate response, is recorded as part of it.
    ///
    /// - Parameters:
    ///   - input: The input. A replay decodes it and passes it to the app.
    ///   - perform: All effects of the input. What another thread or a task does later is not part of it and needs an
    ///     input of its own.
    public func input<Input: Encodable, Result>(_ input: Input, perform: () throws -> Result) rethrows -> Result {
        try tape.input(TapeEntry.app, input, perform: perform)
    }

    /// Reads a value from a dependency and records it. A replay returns the recorded value instead.
    ///
    /// - Parameters:
    ///   - domain: The source of the value, such as `country`.
    ///   - draw: Reads the value. Not called in a replay.
    public func value<Value: Codable>(_ domain: String, draw: () -> Value) -> Value {
        tape.value(domain, draw: draw)
    }

    /// Records that the app makes a request to a dependency. Responses are inputs. If a response arrived during this
    /// call in the recording, it also arrives during this call in the replay: be ready to receive it before you call.
    ///
    /// - Parameters:
    ///   - domain: The dependency, such as `http`.
    ///   - payload: The request; compared in a replay.
    public func request(_ domain: String, _ payload: some Encodable) {
        tape.note(.request, domain: domain, payload: payload)
    }

    /// Records every action of one of the app's own domains.
    ///
    /// - Parameters:
    ///   - dispatcher: A new dispatcher: an earlier subscriber would receive actions before they are recorded.
    ///   - domain: The domain's name, such as `basket`; not `route`, `device` or `tracking`.
    public func observe<Action: Encodable & Sendable>(_ dispatcher: FluxDispatcher<Action>, as domain: String) {
        tape.observe(dispatcher, as: domain)
    }
}

/// The parameters with which an environment was started: the payload of its first entry.
package struct EnvironmentLaunch: Codable, Sendable {
    /// ``TrackingContext``, with the values that the app passes.
    package struct Context: Codable, Sendable {
        package let app: String?
        package let os: String?
    }

    package let context: Context?
    package let eventsPerSecond: Int?
    /// Whether the session of the log's newest event is continued.
    package let isResumed: Bool
    /// Whether unplanned events are allowed: true or nil.
    package let allowsUnplanned: Bool?
    /// The policy for people who have not answered; nil for the standard.
    package let consent: ConsentPolicy?

    init(_ setup: TrackerSetup) {
        context = setup.context.map { Context(app: $0.app, os: $0.os) }
        eventsPerSecond = setup.sendingLimit?.eventsPerSecond
        isResumed = setup.session == .resumed
        allowsUnplanned = setup.unplanned == .allowed ? true : nil
        consent = setup.consent == .assumed ? nil : setup.consent
    }

    private enum CodingKeys: String, CodingKey {
        case context
        case eventsPerSecond = "events_per_second"
        case isResumed = "is_resumed"
        case allowsUnplanned = "allows_unplanned"
        case consent
    }
}

extension TrackingEnvironment {
    /// Performs the effects of an input, and records the input if there is a recording; see
    /// ``EnvironmentRecording/input(_:perform:)``.
    public func input<Input: Encodable, Result>(_ input: Input, perform: () throws -> Result) rethrows -> Result {
        guard let recording else { return try perform() }
        return try recording.input(input, perform: perform)
    }

    /// Reads a value from a dependency, and records it if there is a recording; see
    /// ``EnvironmentRecording/value(_:draw:)``.
    public func value<Value: Codable>(_ domain: String, draw: () -> Value) -> Value {
        guard let recording else { return draw() }
        return recording.value(domain, draw: draw)
    }
}
