import TrackingCore

// Events and pages of the guides, as the plugin generates them from schemas.

struct CheckoutCompleted: TrackingEvent, Equatable {
    static let name = "checkout-completed"
    let items: Int
}

struct PlanChanged: TrackingEvent, Equatable {
    enum Plan: String, Encodable { case basic, premium }

    static let name = "plan-changed"
    let to: Plan
}

enum Page: String, TrackingPage {
    case basket

    var name: String { rawValue }
    var additional: String? { nil }
}

extension TrackingEvent where Self == CheckoutCompleted {
    static func checkoutCompleted(items: Int) -> Self { CheckoutCompleted(items: items) }
}

extension TrackingEvent where Self == PlanChanged {
    static func planChanged(to plan: PlanChanged.Plan) -> Self { PlanChanged(to: plan) }
}

extension TrackingEvent where Self == PageView {
    static func pageView(_ page: Page) -> Self { PageView(page) }
}
