import SwiftUI
// tracking: begin
import Tracking
// tracking: end

/// A SwiftUI app. Six lines track it, from the start to the first page and event; each further page or event needs
/// another line.
@main
struct ShopApp: App {
    // tracking: begin
    static let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))
    // tracking: end

    var body: some Scene {
        WindowGroup {
            BasketView(basket: Basket())
                // Sends launch and background, delivers events when the app enters the background, and provides the
                // tracker to its views.
                // tracking: begin
                .tracked(by: Self.tracker)
            // tracking: end
        }
    }
}

/// The articles that the user is about to buy.
struct BasketView: View {
    let basket: Basket
    // The app's tracker. In previews, a tracker that discards events.
    // tracking: begin
    @Environment(\.tracker) private var tracker
    // tracking: end

    var body: some View {
        VStack {
            Text("\(basket.articles.count) articles")
            Button("Pay") {
                guard let items = basket.pay() else { return }
                // tracking: begin
                tracker.send(.checkoutCompleted(items: items))
                // tracking: end
            }
        }
        // Sends a page view for each appearance. `.baskt` would not compile: the pages come from Schemas/pages.json.
        // tracking: begin
        .trackScreen(.basket)
        // tracking: end
    }
}
