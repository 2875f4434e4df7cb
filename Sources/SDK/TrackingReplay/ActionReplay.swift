public import TrackingCore

/// Plays a recording of an ``/TrackingCore/ActionRecorder`` through an app again: the app's inputs are handed to it, all that came
/// from outside comes from the recording, and every action is made anew and compared, byte for byte.
///
/// ```swift
/// let replay = try ActionReplay(path: "actions.jsonl") { environment in ShopApp(environment) }
/// let outcome = try replay.run(until: 1042)
/// ```
///
/// Deterministic: nothing waits, no clock is read, and everything happens on the calling thread, in the call. Memory
/// stays flat, however long the recording is.
public struct ActionReplay<App: ReplayedApp>: Sendable {
    private let path: String
    private let makeApp: @Sendable (TrackingEnvironment<App.Route>) -> App

    /// Makes a replay.
    ///
    /// - Parameters:
    ///   - path: The recording.
    ///   - makeApp: Makes the app on an environment, as it was made when the session was recorded. Called for each
    ///     environment of the recording.
    public init(path: String, makeApp: @escaping @Sendable (TrackingEnvironment<App.Route>) -> App) {
        self.path = path
        self.makeApp = makeApp
    }

    /// Plays the recording from its start.
    ///
    /// - Parameters:
    ///   - until: The index of the last entry that is played; nil for all. The states are those after that entry.
    ///   - onEvent: Takes the line of each event as it is made and found equal, without the line feed.
    /// - Returns: Whether the app did what was recorded, and its stores. An index past the recording's end plays all of
    ///   it: ``ReplayOutcome/lastIndex`` is below it then.
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
