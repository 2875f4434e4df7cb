import Testing
import TrackingTesting

@testable import Basket

@Suite("A feature in the style of The Composable Architecture")
@MainActor
struct BasketFeatureTests {
    private func store() -> Store<BasketFeature> { Store(BasketFeature.State()) { BasketFeature() } }

    @Test("the basket sends its page view when it appears")
    func appearing() async throws {
        try await withTestDependencies { recorder in
            await store().send(.appeared)
            recorder.expect(.pageView(.basket))
        }
    }

    @Test("adding and paying send events, followed by the receipt's page view")
    func paying() async throws {
        try await withTestDependencies { recorder in
            let store = store()
            await store.send(.addTapped(article: "tea"))
            await store.send(.addTapped(article: "cup"))
            await store.send(.payTapped)
            recorder.expect(
                .articleAdded(article: "tea"), .articleAdded(article: "cup"), .checkoutCompleted(items: 2),
                .pageView(.receipt))
            #expect(store.state == BasketFeature.State())
        }
    }

    @Test("a failed payment sends its reason and no page view", arguments: [PaymentFailure.declined, .unreachable])
    func failing(_ failure: PaymentFailure) async throws {
        try await withTestDependencies(paying: { _ in .failure(failure) }) { recorder in
            let store = store()
            await store.send(.addTapped(article: "tea"))
            await store.send(.payTapped)
            recorder.expect(
                .articleAdded(article: "tea"),
                .checkoutFailed(reason: failure == .declined ? .declined : .unreachable))
            #expect(store.state.failure == failure)
        }
    }

    @Test("paying an empty basket sends nothing")
    func empty() async throws {
        try await withTestDependencies { _ in await store().send(.payTapped) }
    }

    @Test("an unasserted event fails the test")
    func unasserted() async throws {
        try await withKnownIssue {
            try await withTestDependencies { _ in await store().send(.appeared) }
        } matching: { issue in
            "\(issue)".contains("page-view")
        }
    }
}
