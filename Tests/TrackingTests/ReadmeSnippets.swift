import Testing
import Tracking
import TrackingTesting

// The README shows this code; `ReadmeTests` compares them.

enum AppRoute: RouteCommand { case home, basket }

struct CheckoutCompleted: TrackingEvent {
    static let name = "checkout-completed"
    let items: Int
}

extension TrackingEvent where Self == CheckoutCompleted {
    static func checkoutCompleted(items: Int) -> Self { CheckoutCompleted(items: items) }
}

func makeEnvironment(folder: String) throws -> TrackingEnvironment<AppRoute> {
    let ids = RandomTrackingIDs()
    let log = try SQLiteEventStore(
        path: folder + "/events.sqlite", options: .init(installID: { ids.uuid() }))
    return .live(
        log: log, storage: try FileKeyValueStorage(path: folder + "/tracking.json"),
        clock: SystemTrackingClock(), timer: ContinuousClock(), ids: ids,
        sinks: [JSONLinesFileSink(directory: folder, fileName: "events", rotation: .standard)],
        context: TrackingContext(app: "Shop 1.0", os: nil), diagnostics: { print($0) })
}

func checkout(_ environment: TrackingEnvironment<AppRoute>) {
    environment.tracking.send(.checkoutCompleted(items: 3))
    environment.tracking.send(.search(query: "flux", page: 1))
}

@Test("checking out fires checkout-completed, then search")
func checkingOut() {
    let recorder = TrackingRecorder()
    checkout(.mock(recording: recorder))
    #expect(recorder.fired == [FiredEvent(.checkoutCompleted(items: 3)), FiredEvent(.search(query: "flux", page: 1))])
    #expect(recorder.containers.last?.event(as: Search.self)?.query == "flux")
}
