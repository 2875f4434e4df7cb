import SwiftUI
import Tracking

// The views in the README and in the articles; `ArticleTests` compares them. They are compiled; `SwiftUITests` draws those that
// ask for consent.

enum ArticleViews {
    struct ShopApp: App {
        private let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))

        var body: some Scene {
            WindowGroup { BasketView().tracked(by: tracker) }
        }
    }

    struct BasketView: View {
        @Environment(\.tracker) private var tracker

        var body: some View {
            Button("Pay") { tracker.send(.checkoutCompleted(items: 3)) }
                .trackScreen(.basket)
        }
    }

    struct ShopView: View {
        @Environment(\.tracker) private var tracker
        @State private var isAsking = false

        var body: some View {
            BasketView()
                .task {
                    // Throws until the person answers, if nothing is stored before.
                    try? await tracker.opened()
                    isAsking = !tracker.consent.isAnswered
                }
                .sheet(isPresented: $isAsking) { ConsentView(isShown: $isAsking) }
        }
    }

    struct ConsentView: View {
        @Environment(\.tracker) private var tracker
        @Binding var isShown: Bool
        @State private var isGranted = false

        var body: some View {
            VStack {
                Toggle("Share how I use this app", isOn: $isGranted)
                Button("Continue") {
                    // If the answer can't be stored, the next start asks again.
                    Task { [isGranted] in try? await tracker.setConsent(isGranted ? .granted : .denied) }
                    isShown = false
                }
            }
        }
    }

    struct DataView: View {
        @Environment(\.tracker) private var tracker
        let userID: String
        @State private var state = ""

        var body: some View {
            VStack {
                Button("Delete my data") { Task { await erase() } }
                Text(state)
            }
        }

        private func erase() async {
            do {
                let result = try await tracker.erase(user: userID)
                state = result.isComplete ? "Deleted." : "Deleted on this device. Not yet deleted everywhere."
            } catch {
                state = "Not deleted. Try again."
            }
        }
    }

    struct ArticleView: View {
        struct Model { let url: String? }

        let model: Model
        init(_ model: Model) { self.model = model }

        var body: some View { EmptyView() }
    }

    @MainActor
    static func trackScreens(_ model: ArticleView.Model) {
        _ = BasketView().trackScreen(.basket)
        _ = ArticleView(model).trackScreen(whenKnown: model.url.map { Page.article(url: $0) })
    }
}

// The code that the plugin generates.

extension ArticleViews {
    enum Page: TrackingPage {
        case basket
        case article(url: String)

        var name: String { additional == nil ? "basket" : "article" }
        var additional: String? { if case .article(let url) = self { url } else { nil } }
    }

    struct CheckoutCompleted: TrackingEvent {
        static let name = "checkout-completed"
        let items: Int
    }
}

extension TrackingEvent where Self == ArticleViews.CheckoutCompleted {
    fileprivate static func checkoutCompleted(items: Int) -> Self { .init(items: items) }
}

extension View {
    fileprivate func trackScreen(_ page: ArticleViews.Page) -> some View { trackScreen(whenKnown: page) }
}
