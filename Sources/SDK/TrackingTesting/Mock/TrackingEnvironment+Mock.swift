public import EventLog
internal import Primitives
public import TrackingCore

extension TrackingEnvironment {
    /// Makes an environment for tests: a manual clock, sequential ids, log and storage in memory, by default no sinks.
    ///
    /// It is the live environment with other dependencies, so a test sees what an app does. Nothing happens in the
    /// background, and nothing outlives the test. Make a second environment with the same recorder to simulate a
    /// restart of the app.
    ///
    /// - Parameters:
    ///   - recorder: Records the steps, and provides clock, log and storage.
    ///   - context: The versions of app and system in each container.
    ///   - storage: Your own storage, for example one that can't be written. Default: the recorder's.
    ///   - sinks: The destinations of events. The test flushes: `await environment.tracking.flush()`.
    ///   - sendingLimit: The guard against a runaway loop. The clock is manual, so 5,000 events exceed it unless the
    ///     test advances the clock.
    ///   - unplanned: Whether events without a schema in the plan are sent. Default: they are sent, and marked.
    ///   - consent: The policy for people who have not answered. With `.required`, events wait for the answer: see
    ///     ``TrackingRecorder/expectHeld(_:for:by:sourceLocation:fileID:filePath:line:column:)``.
    public static func mock(
        recording recorder: TrackingRecorder, context: TrackingContext? = nil, storage: (any KeyValueStorage)? = nil,
        sinks: [any Sink] = [], sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .allowed,
        consent: ConsentPolicy = .assumed
    ) -> Self {
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [weak recorder] in recorder?.record($0) }
        let flusher = EventFlusher(
            alone: recorder.log, sinks: sinks, clock: recorder.clock, diagnostics: diagnostics)
        do {
            let environment = try live(
                log: recorder.log, storage: storage ?? recorder.storage, clock: recorder.clock, ids: recorder.ids,
                flusher: flusher, sendingLimit: sendingLimit, unplanned: unplanned, session: .resumed, consent: consent,
                context: context, recording: nil, observing: recorder.observe, diagnostics: diagnostics)
            recorder.attach(to: environment)
            return environment
        } catch {
            preconditionFailure(
                "cannot read the mock's storage: \(error); to test this, use live(…), which throws")
        }
    }
}

/// A clock that moves only when you set, advance or step it.
public final class ManualTrackingClock: TrackingClock {
    private let clocks: Locked<(time: EventTime, passed: Duration)>

    /// Makes a clock with an initial time.
    public init(_ time: EventTime) { clocks = Locked((time, .zero)) }

    public var now: EventTime { clocks.withLock { $0.time } }

    /// The time that has passed: the sum of what ``advance(by:)`` and ``set(_:)`` have moved forward.
    public var sinceBoot: BootTime {
        let passed = clocks.withLock { $0.passed }
        return BootTime(boot: "manual", microseconds: Int64(passed / .microseconds(1)))
    }

    /// Lets time pass, for the wall clock and for pauses. A negative duration only sets the wall clock back.
    public func advance(by duration: Duration) {
        clocks.withLock { clocks in
            clocks.time = clocks.time.advanced(by: duration)
            clocks.passed += max(.zero, duration)
        }
    }

    /// Lets time pass up to `time`; an earlier time only sets the wall clock back.
    public func set(_ time: EventTime) { advance(by: time.duration(since: now)) }

    /// Sets the wall clock forward or back, as a person in the device's settings: no time passes.
    public func step(by duration: Duration) { clocks.withLock { $0.time = $0.time.advanced(by: duration) } }
}

/// Sequential identifiers: 1, 2, 3 … of each kind, in a valid form.
public final class SequentialTrackingIDs: TrackingIDs {
    private let counts = Locked((events: UInt64(0), uuids: 0))

    /// Makes a generator that starts at 1.
    public init() {}

    public func eventID(at time: EventTime) -> EventID {
        let number = counts.withLock { counts in
            counts.events += 1
            return counts.events
        }
        return EventID(milliseconds: time.milliseconds, counter: 0, random: number << 2)
    }

    public func uuid() -> String {
        let number = counts.withLock { counts in
            counts.uuids += 1
            return counts.uuids
        }
        return Self.uuid(kind: 0, number: number)
    }

    static func uuid(kind: Int, number: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return "0000000\(kind)-0000-4000-8000-\(padded)"
    }
}
