#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with `URLSession`. Thread-safe.
///
/// Make one to configure a proxy, a TLS version, or other settings that
/// ``DeliveryTransport/system(allowsCellularAccess:allowsConstrainedNetworkAccess:)`` lacks. To pin certificates, use
/// `NSPinnedDomains` in `Info.plist`.
///
/// On Linux, use ``DeliveryTransport/system(allowsCellularAccess:allowsConstrainedNetworkAccess:)`` instead: this
/// transport can crash the process there. If a server closes the connection inside a response's header,
/// FoundationNetworking traps: https://github.com/swiftlang/swift-corelibs-foundation/issues/5285
public final class URLSessionTransport: DeliveryTransport {
    private let session: URLSession
    private let exchanges = SessionExchanges()

    /// Makes a transport.
    ///
    /// - Parameter configuration: The configuration, which is copied. Caches and cookies are disabled.
    public init(configuration: URLSessionConfiguration = .delivery()) {
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // No request is active: each one retains the transport.
    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method.rawValue
        sent.timeoutInterval = request.timeout / .seconds(1)
        for field in request.fields { sent.setValue(field.value, forHTTPHeaderField: field.name) }
        if request.method == .post { sent.httpBody = Data(request.body) }
        let reader = ResponseReader(request)
        return try await exchanges.send(sent, by: session, reader: reader, mayContinue: request.mayContinue).get()
    }
}

extension URLSessionConfiguration {
    /// A configuration for deliveries: ephemeral, waits for a network without polling.
    ///
    /// - Parameters:
    ///   - allowsCellularAccess: Whether cellular networks are used. No effect on Linux.
    ///   - allowsConstrainedNetworkAccess: Whether networks in Low Data Mode are used. No effect on Linux.
    public static func delivery(
        allowsCellularAccess: Bool = true, allowsConstrainedNetworkAccess: Bool = true
    ) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.allowsCellularAccess = allowsCellularAccess
        configuration.httpMaximumConnectionsPerHost = 1
        #if canImport(Darwin)
            configuration.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
            configuration.waitsForConnectivity = true
            configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
        return configuration
    }
}
