public import Foundation

/// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter>
open class UNUserNotificationCenter: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/delegate>
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/current()>
    open class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }

    /// For tests: an app gets the center by `current()`.
    public override init() { super.init() }
}

/// Its methods are optional: an app implements some. Those that it leaves out do what the system does without them.
///
/// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate>
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:willpresent:withcompletionhandler:)>
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:didreceive:withcompletionhandler:)>
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:opensettingsfor:)>
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([]) }
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) { completionHandler() }
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}

/// <https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions>
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// <https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions/sound>
    public static let sound = Self(rawValue: 1 << 1)
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions/banner>
    public static let banner = Self(rawValue: 1 << 4)
}

/// <https://developer.apple.com/documentation/usernotifications/unnotificationresponse>
open class UNNotificationResponse: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationresponse/notification>
    public let notification: UNNotification

    /// For tests: the system makes it.
    public init(_ notification: UNNotification) { self.notification = notification }
}

/// <https://developer.apple.com/documentation/usernotifications/unnotification>
open class UNNotification: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotification/request>
    public let request: UNNotificationRequest

    /// For tests: the system makes it.
    public init(_ request: UNNotificationRequest) { self.request = request }
}

/// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest>
open class UNNotificationRequest: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest/identifier>
    public let identifier: String
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest/content>
    public let content: UNNotificationContent

    /// For tests: an app also passes a trigger.
    public init(identifier: String, content: UNNotificationContent) {
        (self.identifier, self.content) = (identifier, content)
    }
}

/// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent>
open class UNNotificationContent: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/userinfo>
    public let userInfo: [AnyHashable: Any]

    /// For tests: the system makes it.
    public init(userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }
}
