/// Asks the system not to suspend the process while work is under way.
///
/// A log holds an assertion whenever it moves events or runs an operation, and a flusher for every flush. When the system
/// takes the time back, the log stops between two transactions, with no lock held, and a flush cancels its deliveries.
/// Nothing is lost: events stay in the journal, and a batch is delivered again under the same id.
///
/// ``SystemBackgroundTime`` is right for most programs. An app on UIKit may pass `UIApplicationBackgroundTime` of `Tracking`,
/// and tests pass a type of their own.
///
/// All methods may be called from any thread.
public protocol BackgroundTime: Sendable {
    /// Begins an assertion. Returns when it holds, so that a callback of the system that starts work may return then.
    ///
    /// - Parameters:
    ///   - name: What the time is for, as the system's own logs show it.
    ///   - onExpiry: Called at most once, on any thread, when the system takes the time back before the assertion has ended;
    ///     never from within this call. It must return quickly. The assertion still has to be ended, within a few seconds:
    ///     iOS terminates an app that does not.
    /// - Returns: The assertion; nil if the system grants no time now: do no work that must not be suspended.
    func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)?
}

/// Keeps the system from suspending the process until it is ended.
public protocol BackgroundAssertion: Sendable {
    /// Ends it. Calling this again does nothing.
    func end()
}

/// The time that the system itself gives to any program.
///
/// | system | by |
/// |---|---|
/// | iOS, tvOS, visionOS, watchOS; app extensions, too | `ProcessInfo.performExpiringActivity(withReason:using:)` |
/// | macOS | `ProcessInfo.beginActivity(options:reason:)`: no App Nap, no sudden termination; it never expires |
/// | others | nothing: no process is suspended there |
///
/// Apple: <https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)>
public struct SystemBackgroundTime: BackgroundTime {
    /// Makes the system's time.
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
    /// The time that the system itself gives to any program.
    public static var system: SystemBackgroundTime { SystemBackgroundTime() }
}

/// For what no system suspends. Never expires.
package struct UnlimitedBackgroundTime: BackgroundTime {
    private struct Assertion: BackgroundAssertion {
        func end() {}
    }

    package init() {}

    package func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
        Assertion()
    }
}
