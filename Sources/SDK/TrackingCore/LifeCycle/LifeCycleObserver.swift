public import Foundation

/// An observer that receives life-cycle callbacks from the adapters in addition to a ``Tracker``: a set of life-cycle
/// events, for instance.
///
/// Methods are called on the main thread on Apple systems, each after the SDK has sent its own event.
public protocol LifeCycleObserver: Sendable {
    /// The app became active: once for each transition, after `launch`.
    func becameActive()

    /// The app entered the background: once for each transition, after `background`.
    func enteredBackground()

    /// The user opened the app with a link.
    ///
    /// - Parameters:
    ///   - url: The link, as the system reports it.
    ///   - referrer: The page or app that contained the link; nil if the system does not know it.
    func openedLink(_ url: URL, referrer: URL?)
}
