#if canImport(UIKit) && UIKIT_APPS
    public import TrackingCore
    public import UIKit

    /// A view controller that is a page of the app's plan.
    ///
    /// ```swift
    /// final class BasketViewController: UIViewController, TrackedScreen {
    ///     let trackedPage: AppPage? = .basket
    ///
    ///     override func viewDidAppear(_ animated: Bool) {
    ///         super.viewDidAppear(animated)
    ///         trackAppearance(with: tracker)
    ///     }
    /// }
    /// ```
    @MainActor
    public protocol TrackedScreen: UIViewController {
        associatedtype Page: TrackingPage

        /// The page; nil while it is not known, or if this controller is none.
        var trackedPage: Page? { get }
    }

    extension TrackedScreen {
        /// Sends `page-view`: call it in `viewDidAppear(_:)`, and once more when a page becomes known that was not known then.
        ///
        /// - Returns: The event's receipt; nil if the page is not known, or the event was dropped.
        @discardableResult
        public func trackAppearance(with tracker: Tracker) -> TrackingReceipt? {
            trackedPage.flatMap { tracker.sendPageView($0) }
        }
    }

    /// A view controller that sends `page-view` at each appearance.
    ///
    /// ```swift
    /// final class BasketViewController: TrackedViewController<AppPage> {
    ///     override var tracker: Tracker { AppDelegate.tracker }
    ///     override var trackedPage: AppPage? { .basket }
    /// }
    /// ```
    open class TrackedViewController<Page: TrackingPage>: UIViewController, TrackedScreen {
        /// The app's tracker. Override it: the default tracks nothing.
        open var tracker: Tracker { .noop }

        /// The page. Override it: the default is none.
        open var trackedPage: Page? { nil }

        open override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            trackAppearance(with: tracker)
        }
    }
#endif
