internal import ArgumentParser
internal import DeliveryHTTP

/// Distinguishes collector URLs from file paths.
enum CollectorAddress {
    /// Whether an input is an HTTP or HTTPS URL. Schemes are case-insensitive.
    static func isOne(_ input: String) -> Bool {
        let start = input.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}

/// How to reach collectors, and the admin token for them.
struct CollectorAccess {
    /// The file with the token; nil to use the environment.
    let tokenFile: String?
    /// The file of certificates to trust; nil for the system's.
    let certificates: String?

    /// Creates a client for a collector. Sends nothing.
    ///
    /// - Throws: `DeliverySetupError` for an invalid URL or file of certificates; ``CommandFailure`` without a token.
    func client(_ url: String) throws -> CollectorClient {
        let base = try CollectorClient.base(of: url)
        return CollectorClient(
            base, token: try AdminToken.read(file: tokenFile, for: "\(base)"), transport: try makeTransport())
    }

    /// - Throws: `DeliverySetupError` if the certificates can't be read.
    func makeTransport() throws -> SystemDeliveryTransport {
        if let certificates { return try SystemDeliveryTransport(trusting: certificates) }
        try SystemDeliveryTransport.checkEnvironment()
        return SystemDeliveryTransport()
    }
}

struct CertificateOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp(
            """
            File with the certificates of authorities to trust for https, in PEM format (default: the system's, or those \
            in SSL_CERT_FILE and SSL_CERT_DIR).
            """, valueName: "file"))
    var certificates: String?
}

struct CollectorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the collector's admin token; its mode must be 0600 or stricter (default: the token in \
            TRACKING_COLLECTOR_TOKEN).
            """, valueName: "file"))
    var tokenFile: String?

    @OptionGroup var trusted: CertificateOptions

    var access: CollectorAccess { CollectorAccess(tokenFile: tokenFile, certificates: trusted.certificates) }
}
