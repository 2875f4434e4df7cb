#if canImport(UIKit) && UIKIT_APPS
    internal import TrackingCore
    internal import UIKit

    extension Tracker {
        /// Sends `link-opened` if the user has opened a universal link.
        func activityContinued(_ activity: NSUserActivity) {
            guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return }
            linkOpened(url)
        }
    }
#endif
