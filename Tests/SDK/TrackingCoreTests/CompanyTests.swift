import Foundation
import LookAlikes
import Observation
import Testing
import TrackingCore
import TrackingTesting

/// Common code of an app, in a file that imports libraries with the same type names.
@Suite("Names next to those of other SDKs")
struct CompanyTests {
    private enum AppRoute: RouteCommand { case home, basket }

    private struct BasketEmptied: TrackingEvent, Equatable {
        static let name = "basket-emptied"
        var items: Int
    }

    private struct BasketView: View {
        @State var isOpen = false
        let store = Store<Int>()
        let effect = Effect<Never>()
        let environment: TrackingEnvironment<AppRoute>

        func empty() {
            environment.tracking.send(BasketEmptied(items: 2))
            environment.tracking.send(.notification(identifier: "emptied", userInfo: ["items": 2]))
            environment.show(.home)
        }
    }

    @Test("this SDK's names need no qualification next to other SDKs' names")
    func company() {
        let recorder = TrackingRecorder()
        let view = BasketView(environment: .mock(recording: recorder))
        let commands: FluxStore<RouteState<AppRoute>, AppRoute> = view.environment.route.store
        view.empty()
        recorder.expect(BasketEmptied(items: 2), .notification(identifier: "emptied", userInfo: ["items": 2]))
        #expect(commands.state.command == .home)
        #expect(view.isOpen == false)
    }
}
