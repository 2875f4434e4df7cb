internal import DeliveryProtocol
internal import Foundation
internal import HTTPTypes

/// Who may open the live page, and which requests may use its session cookie.
extension Collector {
    /// `__Host-` makes browsers refuse the cookie unless it is secure and for this host only.
    var sessionCookie: String { settings.tls == nil ? "tracking_session" : "__Host-tracking_session" }

    /// Whether the page is served: on loopback, or where the settings allow it.
    var servesLivePage: Bool { settings.livePage ?? Self.isLoopback(settings.host) }

    static func isLoopback(_ host: String) -> Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Checks that a request to the live page comes from this host's own page.
    ///
    /// On loopback, the `Host` must be a loopback name: otherwise a foreign page whose name resolves to 127.0.0.1
    /// could read the answers (DNS rebinding).
    ///
    /// - Throws: ``DeliveryProblem``: `notFound` if the page is not served, `forbidden` for a foreign origin.
    func checkLiveRequest(_ request: HTTPRequest) throws(DeliveryProblem) {
        guard servesLivePage else {
            throw DeliveryProblem(
                .notFound,
                "the live page is served on loopback only; start the collector with --live-page to allow it here")
        }
        let host = request.authority ?? request.headerFields[.host] ?? ""
        if settings.livePage == nil, !Self.isLoopback(Self.name(of: host)) {
            throw DeliveryProblem(
                .forbidden, "the host must be localhost, 127.0.0.1 or [::1]; open the page by that name")
        }
        if let origin = request.headerFields[.origin], Self.authority(of: origin) != host.lowercased() {
            throw DeliveryProblem(
                .forbidden, "the request comes from another origin; open the collector's own page")
        }
        if let site = request.headerFields[.fetchSite], !["same-origin", "none"].contains(site) {
            throw DeliveryProblem(.forbidden, "the request comes from another site; open the collector's own page")
        }
    }

    /// Finds the admin token of a session cookie.
    ///
    /// A cookie only permits reading: everything that changes data needs the token itself, so a forged request
    /// (CSRF) can change nothing.
    ///
    /// - Returns: nil if the request has no session cookie.
    func sessionAccess(_ request: HTTPRequest) throws(DeliveryProblem) -> AccessKey? {
        guard request.method == .get || request.method == .head, let token = sessionToken(request) else {
            return nil
        }
        try checkLiveRequest(request)
        guard let digest = sessions.keyDigest(of: token, at: settings.now()),
            case .granted(let key) = keys.access(digest: digest), key.kind == .admin
        else { throw DeliveryProblem(.unauthorized, "the session has ended; log in again") }
        return key
    }

    /// The session's token in the request's cookies.
    func sessionToken(_ request: HTTPRequest) -> String? {
        for field in request.headerFields[values: .cookie] {
            for cookie in field.split(separator: ";") {
                let pair = cookie.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
                if pair.count == 2, pair[0] == sessionCookie { return pair[1] }
            }
        }
        return nil
    }

    /// The name in an authority: without port and brackets.
    private static func name(of authority: String) -> String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" }).lowercased()
    }

    private static func authority(of origin: String) -> String? {
        guard let start = origin.range(of: "://")?.upperBound else { return nil }
        return origin[start...].lowercased()
    }
}

extension HTTPField.Name {
    static let host = known("Host")
    static let fetchSite = known("Sec-Fetch-Site")
    static let lastEventID = known("Last-Event-ID")
    static let contentSecurityPolicy = known("Content-Security-Policy")
    static let referrerPolicy = known("Referrer-Policy")
}
