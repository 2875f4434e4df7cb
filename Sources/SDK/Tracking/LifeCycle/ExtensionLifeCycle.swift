public import EventLog
internal import Primitives
public import TrackingCore

/// The life cycle of an app extension, which has no scenes: a share sheet, a widget's provider, a notification service.
///
/// ```swift
/// let lifeCycle = ExtensionLifeCycle(tracker)
/// lifeCycle.start()
/// tracker.send(.articleShared())
/// await lifeCycle.finish()
/// ```
///
/// Sends neither `launch` nor `background`: only the app does. Events are in the log when `send` returns, and
/// ``finish()`` delivers them before the system ends the extension. Call the methods on any thread.
public final class ExtensionLifeCycle: Sendable {
    private let tracker: Tracker
    private let backgroundTime: any BackgroundTime
    private let time = Locked<EndingBackgroundTime?>(nil)

    /// Makes the life cycle of an extension.
    ///
    /// - Parameters:
    ///   - tracker: The extension's tracker.
    ///   - backgroundTime: Prevents the extension from being suspended between ``start()`` and ``finish()``. Default:
    ///     `ProcessInfo.performExpiringActivity(withReason:using:)`, which extensions may call.
    public init(_ tracker: Tracker, backgroundTime: any BackgroundTime = .system) {
        self.tracker = tracker
        self.backgroundTime = backgroundTime
    }

    /// Begins the extension's work. Calling this again before ``finish()`` does nothing.
    public func start() {
        guard time.withLock({ $0 == nil }) else { return }
        let begun = EndingBackgroundTime(backgroundTime, "Working in an extension")
        let isSecond = time.withLock { time in
            guard time == nil else { return true }
            time = begun
            return false
        }
        if isSecond { begun.end() }
    }

    /// Delivers the events. Returns when every sink has them, or has reported an error.
    public func finish() async {
        await tracker.flush()
        let ended = time.withLock { time in
            defer { time = nil }
            return time
        }
        ended?.end()
    }

    /// Runs work between ``start()`` and ``finish()``.
    ///
    /// - Throws: The error of the work. Events that the work sent are still delivered.
    public func run<Result: Sendable>(_ work: @Sendable () async throws -> Result) async rethrows -> Result {
        start()
        do {
            let result = try await work()
            await finish()
            return result
        } catch {
            await finish()
            throw error
        }
    }
}
