internal import Primitives
internal import TrackingCore

/// The apps of a replay: one for each environment of the recording.
final class ReplayStage<App: ReplayedApp>: Sendable {
    private struct Running {
        let environment: TrackingEnvironment<App.Route>
        let app: App
    }

    private struct State {
        var tape: ReplayTape?
        var apps: [Int: Running] = [:]
        var stores: [ReplayedStores] = []
    }

    private let makeApp: @Sendable (TrackingEnvironment<App.Route>) -> App
    private let state = Locked(State())

    init(makeApp: @escaping @Sendable (TrackingEnvironment<App.Route>) -> App) { self.makeApp = makeApp }

    /// Sets the tape for the apps.
    func start(_ tape: ReplayTape) { state.withLock { $0.tape = tape } }

    /// The states of the apps' stores at the end of the replay.
    var stores: [ReplayedStores] { state.withLock { $0.stores } }

    /// Passes an input to its app. If this is impossible, the app records nothing, which the tape detects.
    func play(_ entry: RecordedEntry) {
        guard let number = entry.environment else { return }
        switch entry.domain {
        case TapeEntry.launch:
            // Decoding fails if the line was edited, or if the app no longer has the input. The input is lost.
            guard let launch = try? entry.decodePayload(as: EnvironmentLaunch.self) else { return }
            self.launch(launch, number: number)
        case TapeEntry.app:
            guard let app = state.withLock({ $0.apps[number]?.app }),
                // The input is lost, as above.
                let input = try? entry.decodePayload(as: App.Input.self)
            else { return }
            app.perform(input)
        case TapeEntry.sdk:
            guard let tracking = state.withLock({ $0.apps[number]?.environment.tracking }),
                // The input is lost, as above.
                let input = try? entry.decodePayload(as: TrackingInput.self)
            else { return }
            tracking.process(input)
        default: return
        }
    }

    private func launch(_ launch: EnvironmentLaunch, number: Int) {
        guard let tape = state.withLock({ $0.tape }) else { return }
        let log = InMemoryEventStore(installID: "")
        // Storage in memory is always readable.
        let environment = try? TrackingEnvironment<App.Route>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: PlaceholderDependencies(),
            ids: PlaceholderDependencies(),
            flusher: EventFlusher(alone: log, sinks: [], clock: PlaceholderDependencies(), diagnostics: { _ in }),
            sendingLimit: launch.eventsPerSecond.map { SendingLimit(eventsPerSecond: $0) },
            unplanned: launch.allowsUnplanned == true ? .allowed : .rejected,
            session: launch.isResumed ? .resumed : .fresh, consent: launch.consent ?? .assumed,
            context: launch.context.map { TrackingContext(app: $0.app, os: $0.os) },
            recording: EnvironmentRecording(EnvironmentTape(tape, number: number)), diagnostics: { _ in })
        guard let environment else { return }
        let app = makeApp(environment)
        state.withLock { $0.apps[number] = Running(environment: environment, app: app) }
    }

    /// Reads the stores of all apps.
    func keepStores() {
        let (apps, tape) = state.withLock { ($0.apps, $0.tape) }
        let stores = apps.sorted { $0.key < $1.key }.map { number, running in
            ReplayedStores(
                environment: number, user: tape?.user(of: number),
                stores: [
                    ReplayedStore("route", running.environment.route.store.state),
                    ReplayedStore("tracking", running.environment.tracking.store.state),
                    ReplayedStore("device", running.environment.device.store.state),
                ] + running.app.stores)
        }
        state.withLock { $0.stores = stores }
    }
}
