#if canImport(UIKit) && UIKIT_APPS
    public import TrackingCore
    public import UIKit

    /// A view controller for a page of the app's plan.
    ///
    /// ```swift
    /// final class BasketViewController: UIViewController, TrackedScreen {
    ///     let trackedPage: Page? = .basket
    ///
    ///     override func viewDidAppear(_ animated: Bool) {
    ///         super.viewDidAppear(animated)
    ///         trackAppearance(with: tracker)
    ///     }
    /// }
    /// ```
    @MainActor
    public protocol TrackedScreen: UIViewController {
        /// The app's pages.
        associatedtype TrackedPage: TrackingPage

        /// The page; nil while it is unknown, or if this controller shows no page.
        var trackedPage: TrackedPage? { get }
    }

    extension TrackedScreen {
        /// Sends `page-view`. Call it in `viewDidAppear(_:)`, and again when the page becomes known later.
        ///
        /// - Returns: The event's receipt; nil if the page is not known, or the event was dropped.
        @discardableResult
        public func trackAppearance(with tracker: Tracker) -> TrackingReceipt? {
            trackedPage.flatMap { tracker.sendPageView($0) }
        }
    }

    /// A view controller that sends `page-view` each time it appears.
    ///
    /// ```swift
    /// final class BasketViewController: TrackedViewController<Page> {
    ///     override var tracker: Tracker { AppDelegate.tracker }
    ///     override var trackedPage: Page? { .basket }
    /// }
    /// ```
    open class TrackedViewController<TrackedPage: TrackingPage>: UIViewController, TrackedScreen {
        /// The app's tracker. Override it: the default tracks nothing.
        open var tracker: Tracker { .noop }

        /// The page. Override it: the default is nil.
        open var trackedPage: TrackedPage? { nil }

        open override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            trackAppearance(with: tracker)
        }
    }
#endif
