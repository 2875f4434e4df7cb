import SwiftUI
// tracking: begin
import Tracking
// tracking: end

/// A SwiftUI app. Six lines track it: three here, three in the views.
@main
struct ShopApp: App {
    // tracking: begin
    static let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))
    // tracking: end

    var body: some Scene {
        WindowGroup {
            BasketView(basket: Basket())
                // Sends launch and background, delivers on entering the background, and gives all views the tracker.
                // tracking: begin
                .tracked(by: Self.tracker)
            // tracking: end
        }
    }
}
