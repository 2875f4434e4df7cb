import SwiftUI
import Tracking

/// An article, which is loaded after the screen appeared.
struct ArticleView: View {
    /// nil until the article is loaded.
    let id: String?
    let basket: Basket
    @Environment(\.tracker) private var tracker

    var body: some View {
        VStack {
            Text(id ?? "…")
            Button("Add") {
                guard let id else { return }
                basket.add(id)
                tracker.send(.articleAdded(article: id))
            }
        }
        // Waits for the article, then sends its page view once.
        .trackScreen(whenKnown: id.map { Page.article(id: $0) })
    }
}
