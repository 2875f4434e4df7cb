import Foundation
import Primitives
import TrackingCore
import TrackingReplay

/// A session of ``NotesApp`` with a real clock and random ids, which a test records.
final class NotesSession: Sendable {
    let folder: SinkFolder
    let recorder: ActionRecorder
    let log: any EventStore
    let memory = InMemoryEventStore(installID: "9A3C7F00-0000-4000-8000-00000000000A")
    let storage: any KeyValueStorage
    let app: NotesApp

    var path: String { folder.file("actions.jsonl") }

    init(
        folder: SinkFolder? = nil, options: ActionRecorder.Options = .init(), storage: (any KeyValueStorage)? = nil,
        log: (any EventStore)? = nil, session: TrackingEnvironment<NotesRoute>.Session = .resumed
    ) throws {
        self.folder = try folder ?? SinkFolder()
        self.log = log ?? memory
        self.storage = storage ?? InMemoryKeyValueStorage()
        recorder = try ActionRecorder(
            path: self.folder.file("actions.jsonl"), app: "Notes 1.0", options: options)
        let ids = RandomTrackingIDs()
        let environment = try TrackingEnvironment<NotesRoute>.live(
            log: self.log, storage: self.storage, clock: SystemTrackingClock(), timer: ContinuousClock(), ids: ids,
            sinks: [], flushPolicy: .manual, session: session,
            context: TrackingContext(app: "Notes 1.0", os: nil), recording: recorder.environment(),
            diagnostics: { _ in })
        app = NotesApp(environment, server: ["known": "yes"])
    }

    /// Uses all features.
    func play() {
        app.perform(.opened(.list))
        app.perform(.wrote("Grüße, \"Welt\"\n"))
        app.perform(.rolled)
        app.perform(.reminded(Date(timeIntervalSince1970: 1_536_753_247.351338), Data([0xFF, 0x00])))
        app.perform(.asked("known"))
        app.perform(.asked("unknown"))
        app.perform(.signedIn("ada"))
        app.perform(.opened(.note(1)))
        app.perform(.answered(request: 2, "late"))
        app.perform(.signedOut)
        app.perform(.wrote("after"))
    }

    /// All lines that were appended to the log.
    var events: [String] { memory.records.map { String(decoding: $0.line, as: UTF8.self) } }

    /// The current states of the app's stores.
    var stores: [ReplayedStore] {
        let environment = app.environment
        return [
            ReplayedStore("route", environment.route.store.state),
            ReplayedStore("tracking", environment.tracking.store.state),
            ReplayedStore("device", environment.device.store.state),
        ] + app.stores
    }

    /// The recording's entries, without its header.
    func entries() throws -> [String] {
        try folder.text("actions.jsonl").split(separator: "\n").dropFirst().map(String.init)
    }

    /// Writes a recording with this one's header and other entries, and returns its path.
    func variant(_ entries: [String]) throws -> String {
        let header = try folder.text("actions.jsonl").prefix { $0 != "\n" }
        let path = folder.file("variant.jsonl")
        try ([String(header)] + entries).map { $0 + "\n" }.joined()
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}

/// A replay of a session of ``NotesApp``, and the events that it sent.
func replayNotes(
    _ path: String, until: Int64? = nil, change: NotesApp.Change? = nil
) throws -> (outcome: ReplayOutcome, events: [String]) {
    let events = LineList()
    let replay = ActionReplay(path: path) { NotesApp($0, change: change) }
    let outcome = try replay.run(until: until) { events.add($0) }
    return (outcome, events.lines)
}

/// Collects lines as text.
final class LineList: Sendable {
    private let content = Locked<[String]>([])
    var lines: [String] { content.withLock { $0 } }
    func add(_ line: [UInt8]) { content.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
}
