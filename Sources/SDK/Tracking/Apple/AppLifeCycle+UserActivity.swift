#if canImport(UIKit) && UIKIT_APPS
    internal import TrackingCore
    internal import UIKit

    extension AppLifeCycle {
        /// Takes an activity that UIKit hands over.
        func continued(_ activity: NSUserActivity) {
            let isLink = activity.activityType == NSUserActivityTypeBrowsingWeb
            guard isLink, let url = activity.webpageURL else { return }
            openedLink(url, referrer: activity.referrerURL)
        }
    }
#endif
