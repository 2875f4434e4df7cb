internal import EventLog
internal import EventModel
internal import Foundation
internal import Primitives
internal import TrackingCore
internal import TrackingDomainEvents
internal import TrackingReplay

/// The routes of the recorded app.
enum EchoRoute: RouteCommand, Codable { case list, note(Int) }

/// The inputs of the recorded app.
enum EchoInput: Codable, Sendable {
    case opened(EchoRoute)
    case wrote(String)
    case rolled
    case answered(String)
    case signedIn(String)
    case signedOut
}

/// An app with all kinds of recorded inputs and actions.
final class EchoApp: ReplayedApp {
    typealias Route = EchoRoute

    private let environment: TrackingEnvironment<EchoRoute>

    init(_ environment: TrackingEnvironment<EchoRoute>) { self.environment = environment }

    var stores: [ReplayedStore] { [ReplayedStore("route", environment.route.store.state)] }

    func perform(_ input: EchoInput) {
        environment.input(input) { act(on: input) }
    }

    private func act(on input: EchoInput) {
        switch input {
        case .opened(let route):
            environment.show(route)
            environment.tracking.send(PageView(page: "\(route)"))
        case .wrote(let text):
            environment.tracking.send(.search(query: text, page: 1))
            environment.recording?.request("server", text)
            perform(.answered(text))
        case .rolled: environment.tracking.send(PageView(page: "\(environment.value("dice") { 4 })"))
        case .answered: environment.tracking.send(.launch)
        case .signedIn(let user): environment.tracking.identify(user)
        case .signedOut: environment.tracking.reset()
        }
    }

    /// The recording of a session, the same every time.
    static func recording() throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }  // what stays is in the system's temporary folder
        let path = folder.appendingPathComponent("actions.jsonl")
        let recorder = try ActionRecorder(path: path.path, app: "Echo 1.0")
        let outside = CountingOutside()
        let app = EchoApp(
            try .live(
                log: InMemoryEventStore(installID: "install"), storage: InMemoryKeyValueStorage(), clock: outside,
                timer: ContinuousClock(), ids: outside, sinks: [], flushPolicy: .manual,
                context: TrackingContext(app: "Echo 1.0", os: nil), recording: recorder.environment(),
                diagnostics: { _ in }))
        for input: EchoInput in [
            .opened(.list), .wrote("é\n"), .rolled, .signedIn("ada"), .opened(.note(1)), .signedOut, .wrote(""),
        ] { app.perform(input) }
        recorder.close()
        return Array(try Data(contentsOf: path))
    }
}

/// A clock and identifiers that count up.
private final class CountingOutside: TrackingClock, TrackingIDs {
    private let count = Locked(UInt64(0))

    private func next() -> UInt64 {
        count.withLock { count in
            count += 1
            return count
        }
    }

    var now: EventTime { EventTime(microseconds: 1_536_753_247_000_000 + Int64(next()) * 1_000_000) }

    func eventID(at time: EventTime) -> EventID { EventID(milliseconds: time.milliseconds, counter: 0, random: next()) }

    func uuid() -> String { EventID(milliseconds: 0, counter: 0, random: next()).description }
}
