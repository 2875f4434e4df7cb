public import Foundation

/// <https://developer.apple.com/documentation/appkit/nsapplication>
@MainActor
open class NSApplication: NSObject {
    /// <https://developer.apple.com/documentation/appkit/nsapplication/didbecomeactivenotification>
    nonisolated public static let didBecomeActiveNotification = Notification.Name("NSApplicationDidBecomeActive")
    /// <https://developer.apple.com/documentation/appkit/nsapplication/didresignactivenotification>
    nonisolated public static let didResignActiveNotification = Notification.Name("NSApplicationDidResignActive")
    /// <https://developer.apple.com/documentation/appkit/nsapplication/willterminatenotification>
    nonisolated public static let willTerminateNotification = Notification.Name("NSApplicationWillTerminate")
}
