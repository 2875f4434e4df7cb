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

/// Opens collectors for reading with the admin token from the options.
struct CollectorAccess {
    /// The file with the token; nil to use the environment.
    let tokenFile: String?

    /// Creates a client for a collector. Sends nothing.
    ///
    /// - Throws: `DeliverySetupError` for an invalid URL; ``CommandFailure`` without a token.
    func client(_ url: String) throws -> CollectorClient {
        let base = try CollectorClient.base(of: url)
        return CollectorClient(base, token: try AdminToken.read(file: tokenFile, for: "\(base)"), transport: .system())
    }
}

struct CollectorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the collector's admin token; its mode must be 0600 or stricter (default: the token in \
            TRACKING_COLLECTOR_TOKEN).
            """, valueName: "file"))
    var tokenFile: String?

    var access: CollectorAccess { CollectorAccess(tokenFile: tokenFile) }
}
