#if canImport(UIKit) && UIKIT_APPS
    internal import TrackingCore
    internal import UIKit

    extension AppLifeCycle {
        /// Processes an activity from UIKit.
        func continued(_ activity: NSUserActivity) {
            let isLink = activity.activityType == NSUserActivityTypeBrowsingWeb
            guard isLink, let url = activity.webpageURL else { return }
            openedLink(url, referrer: activity.referrerURL)
        }
    }
#endif
