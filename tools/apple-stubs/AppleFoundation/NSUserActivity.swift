public import Foundation

/// <https://developer.apple.com/documentation/foundation/nsuseractivity>
open class NSUserActivity: NSObject {
    /// <https://developer.apple.com/documentation/foundation/nsuseractivity/activitytype>
    public let activityType: String
    /// <https://developer.apple.com/documentation/foundation/nsuseractivity/webpageurl>
    open var webpageURL: URL?
    /// <https://developer.apple.com/documentation/foundation/nsuseractivity/referrerurl>
    open var referrerURL: URL?

    /// <https://developer.apple.com/documentation/foundation/nsuseractivity/init(activitytype:)>
    public init(activityType: String) { self.activityType = activityType }
}

/// <https://developer.apple.com/documentation/foundation/nsuseractivitytypebrowsingweb>
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
