public import Foundation
internal import Synchronization

/// <https://developer.apple.com/documentation/uikit/uiapplication>
@MainActor
open class UIApplication: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification>
    nonisolated public static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
    /// <https://developer.apple.com/documentation/uikit/uiapplication/willresignactivenotification>
    nonisolated public static let willResignActiveNotification = Notification.Name("willResignActive")
    /// <https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification>
    nonisolated public static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")

    public typealias ExpirationHandler = @MainActor @Sendable () -> Void

    private struct Tasks {
        var running: [Int: (name: String?, handler: ExpirationHandler?)] = [:]
        var names: [String?] = []
        var isGranting = true
    }

    nonisolated private let tasks = Mutex(Tasks())

    /// For tests: whether a task gets background time.
    nonisolated public var isGranting: Bool {
        get { tasks.withLock { $0.isGranting } }
        set { tasks.withLock { $0.isGranting = newValue } }
    }

    /// For tests: the names of all tasks, in order.
    nonisolated public var taskNames: [String?] { tasks.withLock { $0.names } }

    /// For tests: the number of running tasks.
    nonisolated public var runningTasks: Int { tasks.withLock { $0.running.count } }

    /// For tests: calls the expiration handlers of all running tasks.
    public func expireTasks() { for task in tasks.withLock({ Array($0.running.values) }) { task.handler?() } }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)>
    nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: ExpirationHandler? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.withLock { tasks in
            guard tasks.isGranting else { return .invalid }
            tasks.names.append(taskName)
            tasks.running[tasks.names.count] = (taskName, handler)
            return UIBackgroundTaskIdentifier(rawValue: tasks.names.count)
        }
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)>
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        tasks.withLock { $0.running[identifier.rawValue] = nil }
    }
}

/// <https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier>
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// <https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier/invalid>
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// <https://developer.apple.com/documentation/uikit/uiresponder>
@MainActor
open class UIResponder: NSObject {
    /// <https://developer.apple.com/documentation/objectivec/nsobject-swift.class/init()>
    public override init() { super.init() }
}
