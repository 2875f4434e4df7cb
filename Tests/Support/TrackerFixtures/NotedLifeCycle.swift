package import Foundation
internal import Primitives
internal import TrackingCore

/// Records the app's life-cycle calls.
package final class NotedLifeCycle: LifeCycleObserver {
    private let names = Locked<[String]>([])

    package init() {}

    /// The calls, in order: `active`, `background`, or `URL from referrer`.
    package var calls: [String] { names.withLock { $0 } }

    package func becameActive() { add("active") }
    package func enteredBackground() { add("background") }
    package func openedLink(_ url: URL, referrer: URL?) {
        add("\(url.absoluteString) from \(referrer?.absoluteString ?? "nowhere")")
    }

    private func add(_ name: String) { names.withLock { $0.append(name) } }
}
