import Tracking
import UIKit

/// The articles that the user is about to buy. `TrackedViewController` sends the page view at each appearance.
final class BasketViewController: TrackedViewController<Page> {
    private(set) var articles: [String] = []
    private let appTracker: Tracker

    override var tracker: Tracker { appTracker }
    override var trackedPage: Page? { .basket }

    init(_ tracker: Tracker) {
        appTracker = tracker
        super.init(nibName: nil, bundle: nil)
        navigationItem.rightBarButtonItems = [
            UIBarButtonItem(title: "Pay", primaryAction: UIAction { [weak self] _ in self?.pay() }),
            UIBarButtonItem(title: "Add tea", primaryAction: UIAction { [weak self] _ in self?.add("tea") }),
        ]
    }

    required init?(coder: NSCoder) { nil }

    private func add(_ article: String) {
        articles.append(article)
        tracker.send(.articleAdded(article: article))
    }

    private func pay() {
        guard !articles.isEmpty else { return }
        tracker.send(.checkoutCompleted(items: articles.count))
        articles = []
    }
}
