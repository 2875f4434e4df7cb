internal import DeliveryProtocol
public import TrackingCore
public import TrackingHTTP

/// Remote switches of a tracker: a document that turns events off, or changes how they are delivered, without an update
/// of the app.
///
/// ```swift
/// Tracker.start(
///     .http("https://collector.example.com/v1/events", key: "wk_…"),
///     configuration: TrackingConfiguration { $0.switches = .fetched(publicKeys: ["pk_…"]) })
/// ```
///
/// The switches act before an event gets its number. Events that they turn off are dropped, and counted in the ledger
/// as ``/EventLog/DropReason/switchedOff``. When the document expires, the app's own settings apply again, without a
/// restart. A document that is not accepted changes nothing, and is reported as
/// ``/TrackingCore/TrackingDiagnostic/switches(_:)``.
public struct TrackingSwitches: Sendable {
    let parts: @Sendable (SwitchesContext) throws(SwitchesError) -> SwitchesUpdater.Parts

    /// Fetches signed switches from the collector of the first delivery `.http`, with its key and options.
    ///
    /// The document is fetched when the log is open, and then with deliveries, at most once an hour. The newest
    /// document is kept in the folder of the log.
    ///
    /// - Parameters:
    ///   - publicKeys: The keys that may sign the document, as `collector keys add NAME --signing` prints them. List
    ///     the next key before the collector uses it.
    ///   - verifier: Verifies signatures. Without a verifier, nothing is fetched, which is reported. Default: CryptoKit
    ///     on Apple systems, none elsewhere; see `SwiftCryptoVerifier` in the product `TrackingCrypto`.
    public static func fetched(
        publicKeys: [String], verifier: (any SignatureVerifier)? = systemVerifier
    ) -> Self {
        Self { context throws(SwitchesError) in
            guard let collector = context.collector else {
                throw SwitchesError(
                    .invalidSetup,
                    "cannot fetch remote switches: the tracker has no delivery .http; pass fetched(from:)")
            }
            return try context.parts(
                url: HTTPSwitches.url(besides: collector.url), key: collector.key, publicKeys: publicKeys,
                verifier: verifier,
                options: collector.options)
        }
    }

    /// Fetches signed switches from a URL; see ``fetched(publicKeys:verifier:)``.
    ///
    /// - Parameters:
    ///   - url: The collector's `GET /v1/switches`: `https`, or `http` with a loopback address.
    ///   - key: The write key, 1 to 512 characters of a bearer token.
    ///   - publicKeys: The keys that may sign the document.
    ///   - verifier: Verifies signatures.
    ///   - options: How requests are sent: timeout, networks, transport.
    public static func fetched(
        from url: String, key: String, publicKeys: [String], verifier: (any SignatureVerifier)? = systemVerifier,
        options: HTTPSink.Options = .standard
    ) -> Self {
        Self { context throws(SwitchesError) in
            try context.parts(url: url, key: key, publicKeys: publicKeys, verifier: verifier, options: options)
        }
    }

    /// Reads the switches from a file of the app, without a signature: before the first event gets its number, and then
    /// with deliveries, at most once a minute.
    ///
    /// - Parameter path: The file's path. Only the app may be able to change the file.
    public static func file(_ path: String) -> Self {
        Self { _ in SwitchesUpdater.Parts(source: SwitchesInFile(path: path), trust: .unsigned, file: nil) }
    }

    /// Uses a document of the app, without a signature.
    ///
    /// - Parameter bytes: The document as JSON, at most 64 KiB.
    public static func document(_ bytes: [UInt8]) -> Self {
        Self { _ in SwitchesUpdater.Parts(source: GivenSwitches(bytes), trust: .unsigned, file: nil) }
    }

    /// The verifier of this system: CryptoKit on Apple systems; nil elsewhere.
    public static var systemVerifier: (any SignatureVerifier)? {
        #if canImport(CryptoKit)
            CryptoKitVerifier()
        #else
            nil
        #endif
    }
}

/// What switches are made from, besides their own parameters.
struct SwitchesContext: Sendable {
    /// The collector of the first delivery over HTTP.
    let collector: TrackingDelivery.Collector?
    let folder: String
    let clock: any TrackingClock

    fileprivate func parts(
        url: String, key: String, publicKeys: [String], verifier: (any SignatureVerifier)?,
        options: HTTPSink.Options
    ) throws(SwitchesError) -> SwitchesUpdater.Parts {
        guard let verifier else {
            throw SwitchesError(
                .noVerifier,
                "cannot verify remote switches: this system has no verifier; pass a SignatureVerifier, such as "
                    + "SwiftCryptoVerifier of the product TrackingCrypto")
        }
        let keys = publicKeys.compactMap { SwitchesPublicKey($0) }
        guard !keys.isEmpty, keys.count == publicKeys.count else {
            throw SwitchesError(
                .invalidSetup,
                "cannot verify remote switches: a public key is invalid, or there is none; pass 'pk_' and 64 digits, as "
                    + "'collector keys add NAME --signing' prints them")
        }
        return SwitchesUpdater.Parts(
            source: try HTTPSwitches(url: url, key: key, options: options, clock: clock),
            trust: .signed(by: keys, verifier: verifier), file: SwitchesFile(path: folder + "/switches.json"))
    }
}
