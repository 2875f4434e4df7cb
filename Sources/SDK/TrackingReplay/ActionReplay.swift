public import TrackingCore

/// Replays a recording of an ``/TrackingCore/ActionRecorder`` in an app: passes the recorded inputs and values to the app, and
/// compares each action that the app dispatches with the recording, byte for byte.
///
/// ```swift
/// let replay = try ActionReplay(path: "actions.jsonl") { environment in ShopApp(environment) }
/// let outcome = try replay.run(until: 1042)
/// ```
///
/// Deterministic: a replay waits for nothing, reads no clock, and runs synchronously on the calling thread. Memory use
/// is constant, however long the recording is.
public struct ActionReplay<App: ReplayedApp>: Sendable {
    private let path: String
    private let makeApp: @Sendable (TrackingEnvironment<App.Route>) -> App

    /// Makes a replay.
    ///
    /// - Parameters:
    ///   - path: The recording.
    ///   - makeApp: Makes the app with an environment, as in the recorded session. Called for each environment of the
    ///     recording.
    public init(path: String, makeApp: @escaping @Sendable (TrackingEnvironment<App.Route>) -> App) {
        self.path = path
        self.makeApp = makeApp
    }

    /// Replays the recording from its start.
    ///
    /// - Parameters:
    ///   - until: The index of the last entry to replay; nil for all. The returned states are those after that entry.
    ///   - onEvent: Called with the line of each event that equals the recorded one, without the line feed.
    /// - Returns: Whether the app matched the recording, and the states of its stores. If `until` is beyond the
    ///   recording's end, all entries are replayed, and ``ReplayOutcome/lastIndex`` is lower.
    /// - Throws: ``/TrackingCore/RecordingError``: `notFound`, `cannotRead`, `notARecording`, `newerVersion`, `damaged`.
    public func run(
        until: Int64? = nil, onEvent: @escaping @Sendable (_ line: [UInt8]) -> Void = { _ in }
    ) throws(RecordingError) -> ReplayOutcome {
        let reader = try RecordingReader(path: path)
        let header = reader.header
        let stage = ReplayStage<App>(makeApp: makeApp)
        let tape = try ReplayTape(
            reader, until: until, play: { [weak stage] in stage?.play($0) },
            atEnd: { [weak stage] in stage?.keepStores() }, onEvent: onEvent)
        stage.start(tape)
        let (verdict, ending) = try tape.run()
        return ReplayOutcome(
            verdict: verdict, lastIndex: tape.lastIndex, ending: ending, recordedSDK: header.sdk,
            recordedApp: header.app, apps: stage.stores)
    }
}
