#if !WITHOUT_URL_SESSION
    internal import Foundation
#endif
#if canImport(FoundationNetworking) && !WITHOUT_URL_SESSION
    internal import FoundationNetworking
#endif

extension DeliveryTransport where Self == SystemDeliveryTransport {
    /// The system's HTTP client: `URLSession` on Apple systems, libcurl on Linux.
    ///
    /// On Apple systems, a request waits for a network without polling and without using the radio.
    ///
    /// - Parameters:
    ///   - allowsCellularAccess: Whether cellular networks are used. No effect on Linux.
    ///   - allowsConstrainedNetworkAccess: Whether networks in Low Data Mode are used. No effect on Linux.
    public static func system(
        allowsCellularAccess: Bool = true, allowsConstrainedNetworkAccess: Bool = true
    ) -> SystemDeliveryTransport {
        SystemDeliveryTransport(
            allowsCellularAccess: allowsCellularAccess,
            allowsConstrainedNetworkAccess: allowsConstrainedNetworkAccess)
    }
}

/// The system's HTTP client: `URLSession` on Apple systems, libcurl on Linux. Thread-safe.
///
/// On Linux without libcurl 7.68 or newer, requests use ``URLSessionTransport``, with the limits described there.
public struct SystemDeliveryTransport: DeliveryTransport {
    private let client: any DeliveryTransport

    /// Makes a client; see ``DeliveryTransport/system(allowsCellularAccess:allowsConstrainedNetworkAccess:)``.
    public init(allowsCellularAccess: Bool = true, allowsConstrainedNetworkAccess: Bool = true) {
        #if os(Linux)
            if let libcurl = LibcurlTransport() {
                client = libcurl
                return
            }
        #endif
        #if WITHOUT_URL_SESSION
            client = MissingTransport()
        #else
            client = URLSessionTransport(
                configuration: .delivery(
                    allowsCellularAccess: allowsCellularAccess,
                    allowsConstrainedNetworkAccess: allowsConstrainedNetworkAccess))
        #endif
    }

    public func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        try await client.send(request)
    }
}

#if WITHOUT_URL_SESSION
    /// Fails every request: the released programs use libcurl only, and this system does not have it.
    ///
    /// Foundation's `URLSession` would load libcurl and all its dependencies at the start of each command.
    struct MissingTransport: DeliveryTransport {
        func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
            throw DeliveryTransportError(
                .other, "HTTP needs libcurl 7.68 or newer: install it (Debian, Ubuntu: libcurl4; Fedora: libcurl)")
        }
    }
#endif
