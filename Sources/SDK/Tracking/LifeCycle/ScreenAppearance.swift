internal import Primitives
internal import TrackingCore

/// Sends `page-view` once for each appearance of a screen, however often the screen is drawn meanwhile.
final class ScreenAppearance: Sendable {
    private struct State {
        var isVisible = false
        var isSent = false
    }

    private let state = Locked(State())

    init() {}

    /// The screen is in front of the user, or is drawn again while it is.
    ///
    /// - Parameter page: nil while it is not known which page the screen shows; `page-view` is sent when it is.
    func appeared(_ page: (some TrackingPage)?, _ tracker: Tracker) {
        state.withLock { $0.isVisible = true }
        changed(to: page, tracker)
    }

    /// The screen may show another page, or has learnt which one.
    func changed(to page: (some TrackingPage)?, _ tracker: Tracker) {
        guard let page else { return }
        let isFirst = state.withLock { state in
            guard state.isVisible, !state.isSent else { return false }
            state.isSent = true
            return true
        }
        if isFirst { tracker.sendPageView(page) }
    }

    /// The screen is gone; its next appearance is another one.
    func disappeared() { state.withLock { $0 = State() } }
}

extension Tracker {
    /// Sends `page-view` for a page.
    @discardableResult
    func sendPageView(_ page: some TrackingPage) -> TrackingReceipt? {
        send(PageView(page))
    }
}
