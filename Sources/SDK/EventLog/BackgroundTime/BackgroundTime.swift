/// Asks the system not to suspend the process while work is in progress.
///
/// A log holds an assertion whenever it moves events or runs an operation; a flusher holds one during every flush. When
/// the time expires, the log stops between two transactions, with no lock held, and a flush cancels its deliveries. No
/// event is lost: events stay in the journal, and a batch is delivered again under the same id.
///
/// Use ``SystemBackgroundTime`` in most programs. In a UIKit app you can pass `UIApplicationBackgroundTime` from
/// `Tracking`; in tests, pass your own type.
///
/// All methods may be called from any thread.
public protocol BackgroundTime: Sendable {
    /// Begins an assertion. The assertion is active when this method returns. A system callback that starts work may
    /// therefore return right after this call.
    ///
    /// - Parameters:
    ///   - name: The purpose of the work, as shown in the system's logs.
    ///   - onExpiry: Called at most once, on any thread, when the time expires before the assertion has ended; never
    ///     during this call. It must return quickly. End the assertion within a few seconds after this call, or iOS
    ///     terminates the app.
    /// - Returns: The assertion; nil if the system grants no time now. If nil, postpone all work that must not be
    ///   suspended.
    func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)?
}

/// An assertion that keeps the system from suspending the process until it ends.
public protocol BackgroundAssertion: Sendable {
    /// Ends the assertion. Calling it again has no effect.
    func end()
}

/// The background time that the system grants to any program.
///
/// | system | API |
/// |---|---|
/// | iOS, tvOS, visionOS, watchOS, and app extensions | `ProcessInfo.performExpiringActivity(withReason:using:)` |
/// | macOS | `ProcessInfo.beginActivity(options:reason:)`: no App Nap, no sudden termination; never expires |
/// | others | none: these systems do not suspend processes |
///
/// See <https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)>.
public struct SystemBackgroundTime: BackgroundTime {
    /// Makes the system's background time.
    public init() {}

    public func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
        #if os(macOS)
            ProcessActivity(name)
        #elseif canImport(Darwin) || APPLE_STUBS
            ExpiringActivity.begin(name, onExpiry: onExpiry)
        #else
            UnlimitedBackgroundTime().begin(name, onExpiry: onExpiry)
        #endif
    }
}

extension BackgroundTime where Self == SystemBackgroundTime {
    /// The background time that the system grants to any program.
    public static var system: SystemBackgroundTime { SystemBackgroundTime() }
}

/// Background time that never expires, for processes that no system suspends.
package struct UnlimitedBackgroundTime: BackgroundTime {
    private struct Assertion: BackgroundAssertion {
        func end() {}
    }

    package init() {}

    package func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
        Assertion()
    }
}
