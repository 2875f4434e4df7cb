internal import Primitives
internal import TrackingCore

/// Sends `page-view` once for each appearance of a screen, however often the screen is redrawn.
final class ScreenAppearance: Sendable {
    private struct State {
        var isVisible = false
        var isSent = false
    }

    private let state = Locked(State())

    init() {}

    /// The screen appeared, or was redrawn while visible.
    ///
    /// - Parameter page: The page; nil while it is unknown. `page-view` is sent once it is known.
    func appeared(_ page: (some TrackingPage)?, _ tracker: Tracker) {
        state.withLock { $0.isVisible = true }
        changed(to: page, tracker)
    }

    /// The screen may show another page, or its page has become known.
    func changed(to page: (some TrackingPage)?, _ tracker: Tracker) {
        guard let page else { return }
        let isFirst = state.withLock { state in
            guard state.isVisible, !state.isSent else { return false }
            state.isSent = true
            return true
        }
        if isFirst { tracker.sendPageView(page) }
    }

    /// The screen disappeared. If it appears again, that is a new appearance.
    func disappeared() { state.withLock { $0 = State() } }
}

extension Tracker {
    /// Sends `page-view` for a page.
    @discardableResult
    func sendPageView(_ page: some TrackingPage) -> TrackingReceipt? {
        send(PageView(page))
    }
}
