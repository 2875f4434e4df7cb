import EventLog
import EventModel
import Flux
import TrackingCore
import TrackingDomainEvents

/// The SDK as an app has it: live clock and ids, the Tracking store, one more subscriber, a file sink.
struct LiveEnvironment: Sendable {
    enum Route: RouteCommand { case home }

    static let context = TrackingContext(app: "Shop 1.0", os: "Linux 6.1")

    let log: SQLiteEventStore
    let tracking: Tracker
    private let subscription: FluxSubscription

    init(_ folder: LogFolder) throws {
        let log = try folder.openLog()
        self.log = log
        let environment = try TrackingEnvironment<Route>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: SystemTrackingClock(), timer: ContinuousClock(),
            ids: RandomTrackingIDs(),
            sinks: [JSONLinesFileSink(directory: folder.path, fileName: "sent", rotation: .standard)],
            flushPolicy: FlushPolicy(eventCount: 10_000, interval: nil, onBackground: true), sendingLimit: nil,
            context: Self.context, diagnostics: { _ in })
        tracking = environment.tracking
        subscription = environment.tracking.dispatcher.subscribe { container in
            if container.seq < 0 { print("impossible") }
        }
    }

    /// Sends one event; false if it was dropped.
    func send() -> Bool { tracking.send(.search(query: "swift event tracking", page: 3)) != nil }
}
