import Tracking
import UIKit

/// An article. The class keeps its superclass, conforms to `TrackedScreen`, and calls `trackAppearance(with:)`.
final class ArticleViewController: UIViewController, TrackedScreen {
    private let tracker: Tracker
    /// nil until the article is loaded.
    private var id: String?
    private var hasAppeared = false

    var trackedPage: Page? { id.map { .article(id: $0) } }

    init(_ tracker: Tracker) {
        self.tracker = tracker
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        hasAppeared = true
        trackAppearance(with: tracker)  // sends nothing until the page is known
    }

    /// Shows the loaded article.
    func show(id: String) {
        let wasKnown = self.id != nil
        self.id = id
        title = id
        if hasAppeared, !wasKnown { trackAppearance(with: tracker) }
    }
}
