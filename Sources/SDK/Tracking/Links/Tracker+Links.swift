public import Foundation
public import TrackingCore

extension Tracker {
    /// Sends `link-opened` for a link that has opened the app, with the campaign that it names.
    ///
    /// ```swift
    /// ContentView().onOpenURL { url in
    ///     tracker.linkOpened(url)
    ///     router.open(url)
    /// }
    /// ```
    ///
    /// The event has scheme, host and path of the URL, and its `utm_…` parameters. No other query item, no fragment, and
    /// neither user nor password are sent. `TrackedSceneDelegate` and `TrackedAppDelegate` call this for universal links.
    ///
    /// - Returns: The event's receipt; nil if the URL is malformed, or the event was dropped.
    @discardableResult
    public func linkOpened(_ url: URL) -> TrackingReceipt? {
        guard let campaign = LinkCampaign(url) else {
            drop(LinkOpened.name, .encoding)
            return nil
        }
        return send(LinkOpened(campaign))
    }
}

/// The user has opened the app by a link.
struct LinkOpened: TrackingEvent, Equatable {
    static let name = "link-opened"

    let url: String
    let source: String?
    let medium: String?
    let campaign: String?
    let term: String?
    let content: String?

    init(_ campaign: LinkCampaign) {
        url = campaign.url
        (source, medium, self.campaign) = (campaign.source, campaign.medium, campaign.campaign)
        (term, content) = (campaign.term, campaign.content)
    }
}
