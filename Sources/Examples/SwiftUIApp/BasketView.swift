import SwiftUI
import Tracking

/// What the user is about to buy.
struct BasketView: View {
    let basket: Basket
    // The tracker of `tracked(by:)`. In previews, and in tests that don't ask for events, it is one that keeps nothing.
    // tracking: begin
    @Environment(\.tracker) private var tracker
    // tracking: end

    var body: some View {
        VStack {
            Text("\(basket.articles.count) articles")
            Button("Add tea") {
                basket.add("tea")
                tracker.send(.articleAdded(article: "tea"))
            }
            Button("Pay") {
                guard let items = basket.pay() else { return }
                // tracking: begin
                tracker.send(.checkoutCompleted(items: items))
                // tracking: end
            }
        }
        // Sends page-view once for each appearance. `.baskt` would not compile: the pages are those of Schemas/pages.json.
        // tracking: begin
        .trackScreen(.basket)
        // tracking: end
    }
}

/// One article, of which the app only knows the address at first.
struct ArticleView: View {
    /// nil until the article is loaded.
    let id: String?

    var body: some View {
        Text(id ?? "…")
            // Waits for the article, then sends its page once.
            .trackScreen(whenKnown: id.map { Page.article(id: $0) })
    }
}
