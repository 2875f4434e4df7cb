public import Foundation

extension LinkOpened {
    /// Makes the event of a link.
    ///
    /// The URL's user, password, query and fragment are omitted. `utm_source`, `utm_medium`, `utm_campaign`, `utm_term`
    /// and `utm_content` of the query become properties. A URL with more than 2,048 characters is reduced to its scheme
    /// and host. Campaign parameters that are empty or longer than 256 characters are omitted; if a parameter is
    /// repeated, the first one counts.
    ///
    /// - Parameter referrer: The page or app that contained the link. Only its host is kept.
    /// - Returns: nil for file URLs, URLs without a scheme, and invalid URLs.
    public init?(_ url: URL, referrer: URL? = nil) {
        guard let link = PlainLink(url) else { return nil }
        func campaign(_ name: String) -> String? {
            guard let value = link.query.first(where: { $0.name == name })?.value else { return nil }
            return (1...256).contains(value.unicodeScalars.count) ? value : nil
        }
        self.init(
            url: link.text, utmSource: campaign("utm_source"), utmMedium: campaign("utm_medium"),
            utmCampaign: campaign("utm_campaign"), utmTerm: campaign("utm_term"), utmContent: campaign("utm_content"),
            referrerHost: referrer.flatMap { PlainLink($0)?.host })
    }
}

/// A URL without the parts that may identify a user: user, password, query and fragment.
struct PlainLink {
    /// The URL as sent in events.
    let text: String
    /// The host; nil if it is empty or longer than a host can be.
    let host: String?
    /// The parameters, decoded.
    let query: [URLQueryItem]

    /// Reads a URL; nil for file URLs, URLs without a scheme, and invalid URLs.
    init?(_ url: URL) {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = parts.scheme,
            scheme.lowercased() != "file"
        else { return nil }
        query = Self.items(parts.percentEncodedQuery)
        parts.user = nil
        parts.password = nil
        parts.percentEncodedQuery = nil
        parts.fragment = nil
        host = parts.host.flatMap { (1...253).contains($0.unicodeScalars.count) ? $0 : nil }
        if let whole = parts.string, Self.fits(whole) {
            text = whole
            return
        }
        parts.percentEncodedPath = ""
        guard let origin = parts.string, Self.fits(origin) else { return nil }
        text = origin
    }

    private static func fits(_ text: String) -> Bool { (1...2048).contains(text.unicodeScalars.count) }

    /// The parameters of a form-encoded query, in which `+` is a space.
    private static func items(_ query: String?) -> [URLQueryItem] {
        var parts = URLComponents()
        parts.percentEncodedQuery = query?.replacingOccurrences(of: "+", with: "%20")
        return parts.queryItems ?? []
    }
}
