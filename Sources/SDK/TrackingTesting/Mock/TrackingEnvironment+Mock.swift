internal import Primitives
public import TrackingCore

extension TrackingEnvironment {
    /// Makes an environment for tests: a clock that stands, ids that count, log and storage in memory, no sinks unless given.
    ///
    /// It is the live environment on other parts, so what a test sees is what an app does. Nothing happens in the
    /// background and nothing outlives the test. A second environment on the same recorder is the app after a restart.
    ///
    /// - Parameters:
    ///   - recorder: Records what happens and holds clock, log and storage.
    ///   - context: What stands in each container about app and system.
    ///   - storage: A storage of the test's own, one that can't be written for instance; the recorder's unless given.
    ///   - sinks: Where a flush delivers to; a test asks for it: `await environment.tracking.flush()`.
    ///   - sendingLimit: The guard against a runaway loop. As the clock stands, 5,000 events are one, unless the test moves it.
    ///   - unplanned: What happens to events without a schema in the plan. Default: they are sent, and marked.
    public static func mock(
        recording recorder: TrackingRecorder, context: TrackingContext? = nil, storage: (any KeyValueStorage)? = nil,
        sinks: [any Sink] = [], sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .allowed
    ) -> Self {
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [weak recorder] in recorder?.record($0) }
        let flusher = EventFlusher(
            alone: recorder.log, sinks: sinks, clock: recorder.clock, diagnostics: diagnostics)
        do {
            let environment = try live(
                log: recorder.log, storage: storage ?? recorder.storage, clock: recorder.clock, ids: recorder.ids,
                flusher: flusher, sendingLimit: sendingLimit, unplanned: unplanned, session: .resumed, context: context,
                recording: nil,
                observing: recorder.observe, diagnostics: diagnostics)
            recorder.attach(to: environment)
            return environment
        } catch {
            preconditionFailure(
                "a mock needs storage that can be read: \(error); use live(…), which throws, to test this")
        }
    }
}

/// A clock that stands until it is moved.
public final class ManualTrackingClock: TrackingClock {
    private let time: Locked<EventTime>

    /// Makes a clock that stands at a time.
    public init(_ time: EventTime) { self.time = Locked(time) }

    public var now: EventTime { time.withLock { $0 } }

    /// Moves the clock forward, or back for a negative duration.
    public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

    /// Sets the clock.
    public func set(_ time: EventTime) { self.time.withLock { $0 = time } }
}

/// Identifiers that count: 1, 2, 3 … in each kind, valid in form.
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
