internal import Foundation

/// The campaign that a link names, and the link without anything that may be about its user.
struct LinkCampaign: Equatable, Sendable {
    /// Scheme, host and path. Neither query, fragment, user nor password.
    let url: String
    /// `utm_source`: where the link was: `newsletter`.
    let source: String?
    /// `utm_medium`: `email`.
    let medium: String?
    /// `utm_campaign`: `spring-sale`.
    let campaign: String?
    /// `utm_term`: a paid keyword.
    let term: String?
    /// `utm_content`: which of several links.
    let content: String?

    /// Reads a link.
    ///
    /// Values are percent-decoded, and `+` is a space, as forms encode it. Of a repeated parameter the first counts; empty
    /// values are none. All other query items are left out.
    ///
    /// - Returns: nil if the URL has no scheme, or is malformed.
    init?(_ url: URL) {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true), components.scheme != nil else {
            return nil
        }
        let items = components.percentEncodedQueryItems ?? []
        func value(_ name: String) -> String? {
            let encoded = items.first { $0.name == name }?.value?.replacingOccurrences(of: "+", with: "%20")
            guard let decoded = encoded?.removingPercentEncoding, !decoded.isEmpty else { return nil }
            return decoded
        }
        (source, medium, campaign) = (value("utm_source"), value("utm_medium"), value("utm_campaign"))
        (term, content) = (value("utm_term"), value("utm_content"))
        (components.percentEncodedQuery, components.percentEncodedFragment) = (nil, nil)
        (components.percentEncodedUser, components.percentEncodedPassword) = (nil, nil)
        guard let bare = components.string else { return nil }
        self.url = bare
    }
}
