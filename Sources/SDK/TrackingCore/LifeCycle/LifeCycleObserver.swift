public import Foundation

/// What adapters to an app's frameworks report to in addition to a ``Tracker``: a set of life-cycle events, for instance.
///
/// Calls come from the main thread on Apple systems, each after the event that the SDK itself sends.
public protocol LifeCycleObserver: Sendable {
    /// The app became active: once for each transition, after `launch`.
    func becameActive()

    /// The app entered the background: once for each transition, after `background`.
    func enteredBackground()

    /// The user opened the app by a link.
    ///
    /// - Parameters:
    ///   - url: The link, as the system reports it.
    ///   - referrer: The page or app that had the link; nil if the system does not know.
    func openedLink(_ url: URL, referrer: URL?)
}
