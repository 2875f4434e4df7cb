internal import DeliveryHTTP

/// Tells URLs of collectors from files.
enum CollectorAddress {
    /// Whether an input is a URL. Schemes are compared without regard to case.
    static func isOne(_ input: String) -> Bool {
        let start = input.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}

/// Opens collectors for reading, with the admin token that the options name.
struct CollectorAccess {
    /// The file that holds the token; nil to read it from the environment.
    let tokenFile: String?

    /// A client for the collector of a URL. Sends nothing.
    ///
    /// - Throws: `DeliverySetupError` for a URL that is not a collector's; ``CommandFailure`` without a token.
    func client(_ url: String) throws -> CollectorClient {
        let base = try CollectorClient.base(of: url)
        return CollectorClient(base, token: try AdminToken.read(file: tokenFile, for: "\(base)"), transport: .system())
    }
}
