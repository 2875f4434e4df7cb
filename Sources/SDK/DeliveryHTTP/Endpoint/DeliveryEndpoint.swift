package import Foundation

/// The destination of requests: a URL to which a key can be sent safely. `https`, or `http` with a loopback address.
package struct DeliveryEndpoint: Hashable, Sendable {
    package let url: URL

    /// Validates a URL.
    ///
    /// - Parameter url: An absolute `https` URL with a host and without user name and password. `http` is accepted for
    ///   `localhost`, `127.0.0.0/8` and `::1`, since nothing leaves the device.
    /// - Throws: ``DeliverySetupError`` with the code `malformedURL` or `insecureURL`.
    package init(_ url: URL) throws(DeliverySetupError) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else {
            throw DeliverySetupError(.malformedURL, "the endpoint's URL has no scheme or no host: pass an https URL")
        }
        guard url.user == nil, url.password == nil else {
            throw DeliverySetupError(
                .malformedURL, "the endpoint's URL has a user name or a password: pass the key apart from the URL")
        }
        guard (0...65_535).contains(url.port ?? 0) else {
            throw DeliverySetupError(.malformedURL, "the endpoint's port must be 1 to 65535")
        }
        switch scheme {
        case "https": break
        case "http" where Self.isLoopback(host): break
        case "http":
            throw DeliverySetupError(
                .insecureURL,
                """
                cannot deliver to http://\(host): events and keys are sent over TLS only; pass an https URL, or a loopback \
                address
                """)
        default:
            throw DeliverySetupError(.malformedURL, "unsupported URL scheme \(scheme): pass an https URL")
        }
        self.url = url
    }

    /// Validates a URL; see ``init(_:)-(URL)``.
    package init(_ text: String) throws(DeliverySetupError) {
        guard let url = URL(string: text) else {
            throw DeliverySetupError(.malformedURL, "the endpoint is not a URL: pass an https URL")
        }
        try self.init(url)
    }

    /// Whether a host is this device: a loopback address, or the name that RFC 6761 reserves for it.
    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if name == "localhost" { return true }
        var four = in_addr()
        if inet_pton(AF_INET, name, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, name, &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    /// Scheme, host and port (RFC 6454): the key is sent to this origin only.
    package var origin: String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)"
    }

    /// The URL without its query, which may contain a token.
    package var shown: String {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        return parts?.string ?? origin
    }
}

extension DeliveryEndpoint: CustomStringConvertible, CustomReflectable {
    /// The URL without its query.
    package var description: String { shown }

    /// The URL without its query.
    package var customMirror: Mirror { Mirror(self, children: ["url": shown]) }
}
