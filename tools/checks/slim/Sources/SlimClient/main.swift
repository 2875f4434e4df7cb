import TrackingCore
import TrackingHTTP
import TrackingTesting

enum AppRoute: RouteCommand { case home }

struct CheckoutCompleted: TrackingEvent, Equatable {
    static let name = "checkout-completed"
    let items: Int
}

extension TrackingEvent where Self == CheckoutCompleted {
    static func checkoutCompleted(items: Int) -> Self { CheckoutCompleted(items: items) }
}

// Links what a delivery needs; nothing is sent.
_ = try HTTPSink(url: "https://collector.example/v1/events", key: "write-key")

let recorder = TrackingRecorder()
let environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)
environment.tracking.send(.launch)
environment.tracking.send(.checkoutCompleted(items: 3))
for container in recorder.containers { print(String(decoding: try container.line(), as: UTF8.self)) }
