import TrackingCore
import TrackingTesting

/// A mock environment with its recorder.
struct TestedApp {
    enum Route: RouteCommand {
        case home
        case detail(Int)
    }

    let recorder: TrackingRecorder
    let environment: TrackingEnvironment<Route>
    var tracking: Tracker { environment.tracking }

    init(_ recorder: TrackingRecorder = TrackingRecorder()) {
        self.recorder = recorder
        environment = .mock(recording: recorder)
    }
}
