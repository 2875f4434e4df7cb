public import Foundation
public import Synchronization

@MainActor
open class UIApplication {
    public static let shared = UIApplication()

    nonisolated public static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")

    public typealias ExpirationHandler = @MainActor @Sendable () -> Void

    /// What is under way, by identifier, and its name; a test looks at it, and calls the handlers.
    nonisolated public let tasks = Mutex<[Int: (name: String?, handler: ExpirationHandler?)]>([:])
    /// The identifier that is given next; negative: no task is begun.
    nonisolated public let next = Mutex(1)

    public init() {}

    nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: ExpirationHandler? = nil
    ) -> UIBackgroundTaskIdentifier {
        let number = next.withLock { next in
            defer { if next > 0 { next += 1 } }
            return next
        }
        guard number > 0 else { return .invalid }
        tasks.withLock { $0[number] = (taskName, handler) }
        return UIBackgroundTaskIdentifier(rawValue: number)
    }

    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        tasks.withLock { _ = $0.removeValue(forKey: identifier.rawValue) }
    }
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
