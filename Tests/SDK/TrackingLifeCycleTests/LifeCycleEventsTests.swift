import Primitives
import Testing
import TrackingCore
import TrackingLifeCycle
import TrackingPlan
import TrackingTesting

@Suite("The life cycle")
struct LifeCycleEventsTests {
    private enum NoRoute: RouteCommand { case none }

    private let storage = UnreliableStorage()

    /// A start of the app, with storage shared by all starts.
    private struct Start {
        let recorder: TrackingRecorder
        let tracker: Tracker
        let lifeCycle: LifeCycleEvents
        let errors: Locked<[String]>
    }

    private func start(_ version: String = "2.0", _ build: String = "198", knownBefore: Bool = false) throws -> Start {
        let recorder = TrackingRecorder(validatingAgainst: try CompiledPlan(.standard(with: .lifeCycle)))
        let tracker = TrackingEnvironment<NoRoute>.mock(recording: recorder).tracking
        let errors = Locked<[String]>([])
        let lifeCycle = LifeCycleEvents(
            of: AppVersion(version: version, build: build), storage: storage, wasInstalledBefore: knownBefore,
            with: tracker
        ) { diagnostic in
            guard case .storage(let error) = diagnostic else { return }
            errors.withLock { $0.append("\(error)") }
        }
        return Start(recorder: recorder, tracker: tracker, lifeCycle: lifeCycle, errors: errors)
    }

    private func installed() throws {
        let first = try start()
        first.lifeCycle.started()
        first.recorder.expect(.appInstalled(version: "2.0", build: "198"))
    }

    @Test("of the first start has an installation, then an opening")
    func installation() throws {
        let app = try start()
        app.lifeCycle.started()
        app.recorder.expect(.appInstalled(version: "2.0", build: "198"))
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
    }

    @Test("of the next start of the same version has neither installation nor update")
    func sameVersion() throws {
        try installed()
        let app = try start()
        app.lifeCycle.started()
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
    }

    @Test(
        "has an update for another version, another build, and an earlier one, once",
        arguments: [("2.1", "210"), ("2.0", "199"), ("1.9", "150")])
    func update(version: String, build: String) throws {
        try installed()
        let app = try start(version, build)
        app.lifeCycle.started()
        app.recorder.expect(
            .appUpdated(version: version, build: build, previousVersion: "2.0", previousBuild: "198"))
        let next = try start(version, build)
        next.lifeCycle.started()
        next.recorder.expectNothingElse()
    }

    @Test("of a user who had the app before these events has no installation, and its updates from then on")
    func installedBefore() throws {
        let app = try start(knownBefore: true)
        app.lifeCycle.started()
        app.recorder.expectNothingElse()
        let next = try start("2.1", "210", knownBefore: true)
        next.lifeCycle.started()
        next.recorder.expect(
            .appUpdated(version: "2.1", build: "210", previousVersion: "2.0", previousBuild: "198"))
    }

    @Test("reports each background and foreground transition once, and ignores alerts in between")
    func background() throws {
        try installed()
        let app = try start()
        app.lifeCycle.started()
        app.lifeCycle.becameActive()
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
        for _ in 1...2 {
            app.lifeCycle.enteredBackground()
            app.lifeCycle.enteredBackground()
            app.recorder.expect(.appBackgrounded)
            app.lifeCycle.becameActive()
            app.lifeCycle.becameActive()
            app.recorder.expect(.appForegrounded, .appOpened(version: "2.0", build: "198", fromBackground: true))
        }
    }

    @Test("of an app that the system starts in the background begins when it becomes active")
    func startInBackground() throws {
        let app = try start()
        app.lifeCycle.started()
        app.lifeCycle.enteredBackground()
        app.recorder.expect(.appInstalled(version: "2.0", build: "198"))
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
    }

    @Test("has no installation before storage can be read; the error is reported once, and the app is opened")
    func unreadable() throws {
        let app = try start()
        storage.fails(reading: true)
        app.lifeCycle.started()
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
        #expect(app.errors.withLock { $0 } == ["locked"])
        storage.fails()
        app.lifeCycle.enteredBackground()
        app.recorder.expect(.appInstalled(version: "2.0", build: "198"), .appBackgrounded)
    }

    @Test("of an existing app has no installation after a start with unreadable storage")
    func unreadableAfterInstallation() throws {
        try installed()
        let app = try start()
        storage.fails(reading: true)
        app.lifeCycle.started()
        app.recorder.expectNothingElse()
        storage.fails()
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
    }

    @Test("has no installation that can't be stored, since the next start would repeat it")
    func unwritable() throws {
        let app = try start()
        storage.fails(writing: true)
        app.lifeCycle.started()
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
        #expect(app.errors.withLock { $0 } == ["read-only"])
        storage.fails()
        let next = try start()
        next.lifeCycle.started()
        next.recorder.expect(.appInstalled(version: "2.0", build: "198"))
    }

    @Test("without a call of started() has neither installation nor update")
    func notStarted() throws {
        let app = try start()
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false))
        #expect(storage.string(stored: "app_version") == nil)
    }

    @Test("follows the SDK's own observation")
    func inputs() throws {
        try installed()
        let app = try start()
        app.lifeCycle.started()
        for input in [TrackingInput.becameActive, .consent(.granted), .enteredBackground] {
            app.lifeCycle.process(input)
        }
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false), .appBackgrounded)
    }

    @Test("may be called in a subscriber of its own events")
    func reentrancy() throws {
        try installed()
        let app = try start()
        app.lifeCycle.started()
        let subscription = app.tracker.dispatcher.subscribe { [lifeCycle = app.lifeCycle] container in
            if container.name == "app-opened" { lifeCycle.enteredBackground() }
        }
        app.lifeCycle.becameActive()
        app.recorder.expect(.appOpened(version: "2.0", build: "198", fromBackground: false), .appBackgrounded)
        withExtendedLifetime(subscription) {}
    }
}
