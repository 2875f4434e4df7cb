#if canImport(UIKit) && UIKIT_APPS
    public import EventLog
    internal import Primitives
    public import UIKit

    /// Background time from `UIApplication.beginBackgroundTask(withName:expirationHandler:)`, for the log of an app.
    ///
    /// ```swift
    /// options.backgroundTime = UIApplicationBackgroundTime(.shared)
    /// ```
    ///
    /// iOS gives an app about 30 s in the background this way. App extensions have no `UIApplication` and use
    /// ``/EventLog/SystemBackgroundTime``, the default.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)>
    public struct UIApplicationBackgroundTime: BackgroundTime {
        private let application: UIApplication

        /// Makes the background time of an app: pass `UIApplication.shared`.
        public init(_ application: UIApplication) { self.application = application }

        public func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
            let identifier = application.beginBackgroundTask(withName: name) { onExpiry() }
            return identifier == .invalid ? nil : UIBackgroundTask(application, identifier)
        }
    }

    /// A background task until it is ended.
    private final class UIBackgroundTask: BackgroundAssertion {
        private let application: UIApplication
        private let identifier: Locked<UIBackgroundTaskIdentifier>

        init(_ application: UIApplication, _ identifier: UIBackgroundTaskIdentifier) {
            self.application = application
            self.identifier = Locked(identifier)
        }

        func end() {
            let identifier = self.identifier.withLock { identifier in
                defer { identifier = .invalid }
                return identifier
            }
            if identifier != .invalid { application.endBackgroundTask(identifier) }
        }
    }
#endif
