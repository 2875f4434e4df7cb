internal import Foundation

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

    /// Makes a client that trusts only the certificates in a file. Linux only: on Apple systems, certificates are trusted
    /// in the device's settings or by its management.
    ///
    /// - Parameter file: The path of certificates in PEM format.
    /// - Throws: ``DeliverySetupError`` with the code `invalidCertificates`.
    public init(trusting file: String) throws(DeliverySetupError) {
        try Self.check(file, named: "the file of certificates \(file)")
        #if os(Linux)
            if let libcurl = LibcurlTransport(certificates: file) {
                client = libcurl
                return
            }
        #endif
        throw DeliverySetupError(
            .invalidCertificates,
            "the system's HTTP client can't use a file of certificates: on Linux, install libcurl 7.68 or newer; on Apple "
                + "systems, trust the authority in the device's settings or with a configuration profile")
    }

    /// Checks that the certificates that the environment names can be read, and that the client uses them. Linux only.
    ///
    /// - Throws: ``DeliverySetupError`` with the code `invalidCertificates`.
    package static func checkEnvironment() throws(DeliverySetupError) {
        #if os(Linux)
            let trusted = TrustedCertificates.ofEnvironment
            guard trusted.file != nil || trusted.folder != nil else { return }
            if let file = trusted.file { try check(file, named: "SSL_CERT_FILE (\(file))") }
            guard LibcurlTransport() != nil else {
                throw DeliverySetupError(
                    .invalidCertificates, "SSL_CERT_FILE and SSL_CERT_DIR have no effect without libcurl 7.68 or newer")
            }
        #endif
    }

    private static func check(_ file: String, named name: String) throws(DeliverySetupError) {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw DeliverySetupError(.invalidCertificates, "cannot read \(name): check its path and permissions")
        }
        guard
            bytes.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil
                || bytes.range(of: Data("-----BEGIN TRUSTED CERTIFICATE-----".utf8)) != nil
        else { throw DeliverySetupError(.invalidCertificates, "\(name) has no certificate in PEM format") }
    }

    /// Whether the system's client is libcurl.
    public var reportsProgress: Bool { client.reportsProgress }

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
