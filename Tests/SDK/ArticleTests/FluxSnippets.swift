import CommandRunner
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingReplay
import TrackingTesting

// The articles Flux and Recording show this code; `ArticleTests` compares them.

enum AppRoute: RouteCommand, Codable { case home, basket }

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
    return try .live(
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
    recorder.expect(.checkoutCompleted(items: 3), .search(query: "flux", page: 1))
}

enum ShopInput: Codable { case payTapped }

struct ShopApp: ReplayedApp {
    typealias Route = AppRoute

    let environment: TrackingEnvironment<AppRoute>
    var stores: [ReplayedStore] { [] }  // of the app's own domains

    func perform(_ input: ShopInput) {
        environment.input(input) {
            switch input {
            case .payTapped: checkout(environment)
            }
        }
    }
}

func replay(_ path: String) throws -> ReplayOutcome {
    try ActionReplay(path: path) { ShopApp(environment: $0) }.run()
}

@Test("a session of the article's app is recorded and replayed")
func recordedSession() throws {
    let folder = try TemporaryFolder()
    let recorder = try ActionRecorder(path: folder.path("actions.jsonl"), app: "Shop 1.0")
    let environment = try TrackingEnvironment<AppRoute>.live(
        log: InMemoryEventStore(installID: "install"), storage: InMemoryKeyValueStorage(),
        clock: SystemTrackingClock(), timer: ContinuousClock(), ids: RandomTrackingIDs(), sinks: [],
        flushPolicy: .manual, context: nil, recording: recorder.environment(), diagnostics: { print($0) })
    ShopApp(environment: environment).perform(.payTapped)
    recorder.close()
    let outcome = try replay(folder.path("actions.jsonl"))
    #expect(outcome.verdict == .equal)
    #expect(outcome.apps.first?.stores[1] == ReplayedStore("tracking", environment.tracking.store.state))
}
