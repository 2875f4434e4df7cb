import Tracking
import UIKit

/// One article. It keeps its own superclass, conforms to `TrackedScreen`, and says when it has appeared.
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
        trackAppearance(with: tracker)  // sends nothing while the page is not known
    }

    /// Shows the article that was loaded.
    func show(id: String) {
        let wasKnown = self.id != nil
        self.id = id
        title = id
        if hasAppeared, !wasKnown { trackAppearance(with: tracker) }
    }
}
