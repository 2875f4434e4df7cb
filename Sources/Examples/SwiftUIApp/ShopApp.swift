import SwiftUI
// tracking: begin
import Tracking
// tracking: end

/// A SwiftUI app. Six lines track it, from the start to its first page and event; each new page or event is one more.
@main
struct ShopApp: App {
    // tracking: begin
    static let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))
    // tracking: end

    var body: some Scene {
        WindowGroup {
            BasketView(basket: Basket())
                // Sends launch and background, delivers on entering the background, and gives the views below the tracker.
                // tracking: begin
                .tracked(by: Self.tracker)
            // tracking: end
        }
    }
}

/// What the user is about to buy.
struct BasketView: View {
    let basket: Basket
    // That of the app. In previews it is one that keeps nothing.
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
        // Once for each appearance. `.baskt` would not compile: the pages are those of Schemas/pages.json.
        // tracking: begin
        .trackScreen(.basket)
        // tracking: end
    }
}
