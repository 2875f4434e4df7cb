public import ArgumentParser
import CollectorIntake
import CollectorServer
import CollectorStore
import CommandSupport
import EventModel
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// `collector serve`, also run by `collector` without a subcommand.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receive events until SIGTERM or SIGINT.")

    @OptionGroup var data: DataOptions

    @Option(
        help:
            "Address to listen on. An address other than loopback requires --tls-certificate or a TLS proxy."
    )
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 lets the system choose.")
    var port = 8787

    @Option(
        help: ArgumentHelp(
            "Folder of JSON Schemas, reloaded when it changes. Default: the standard events.", valueName: "folder"))
    var schemas: String?

    @Option(help: "Events without a schema: keep (store them as unvalidated) or refuse (reject them).")
    var unknownSchemas = Intake.UnknownSchemas.keep

    @Option(
        help: ArgumentHelp(
            """
            Folder of mappings for messages of Segment, CloudEvents, OTLP and Snowplow clients. Default: each \
            message becomes one event that contains it.
            """, valueName: "folder"))
    var mappings: String?

    @Option(
        help: ArgumentHelp(
            """
            Document with remote switches, signed and served to apps, reloaded when it changes. Needs a key of \
            'collector keys add NAME --signing'. Default: none.
            """, valueName: "file"))
    var switches: String?

    @Option(help: ArgumentHelp("Origin whose pages may send events (CORS). Repeatable.", valueName: "origin"))
    var corsOrigin: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Serve the live page, /live, which needs the admin token. Default: on loopback addresses only."))
    var livePage: Bool?

    @Option(
        help: ArgumentHelp(
            """
            File of the test kit's FiringMatrix, reread when it changes: the live page shows which of the app's \
            tests assert an event.
            """, valueName: "file"))
    var firingMatrix: String?

    @OptionGroup var forwarding: ForwardingOptions

    @Option(help: ArgumentHelp("Certificate chain in PEM, reloaded when it changes.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("Private key in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            """
            Events per second for each write key, and KiB per second; bursts may have 10 times as many; 0 for no \
            limit.
            """,
            valueName: "count"))
    var keyRate = 100_000

    @Option(
        help: ArgumentHelp(
            "Events per second for each install, and KiB per second; 0 for no limit.", valueName: "count"))
    var installRate = 5_000

    @Option(help: ArgumentHelp("Days to keep events. Default: forever.", valueName: "days"))
    var keepDays: Int?

    @Option(help: ArgumentHelp("Maximum size of all segments, in bytes. Default: no limit.", valueName: "bytes"))
    var keepBytes: Int64?

    @Option(
        help: ArgumentHelp(
            """
            Maximum size of segments and index, in bytes; above it, batches are rejected with 503, and nothing is \
            removed. Default: 80 % of the file system.
            """, valueName: "bytes"))
    var maxBytes: Int64?

    @Option(
        help: ArgumentHelp(
            "Folder for POST /v1/backups. Default: backups are disabled.", valueName: "folder"))
    var backups: String?

    @Option(help: ArgumentHelp("Timeout for a request's header, in seconds.", valueName: "seconds"))
    var headerTimeout = 10

    @Option(help: ArgumentHelp("Timeout for a request's body, in seconds.", valueName: "seconds"))
    var bodyTimeout = 30

    @Flag(
        help: ArgumentHelp(
            "All clients come through a proxy: don't limit the requests of an address that have no key.")
    )
    var trustedProxy = false

    @Option(help: ArgumentHelp("Timeout for idle connections, in seconds.", valueName: "seconds"))
    var idleTimeout = 75

    @Option(help: ArgumentHelp("Time to finish requests after SIGTERM, in seconds.", valueName: "seconds"))
    var drainTimeout = 20

    @Option(help: ArgumentHelp("Maximum number of connections.", valueName: "count"))
    var maximumConnections = 20_000

    @Option(help: "Log level: trace, debug, info, notice, warning or error.")
    var logLevel = Logger.Level.notice

    @Flag(help: "Print the configuration with masked secrets and exit.")
    var printConfig = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key must be used together; give both")
        }
        if switches != nil, !Ed25519.isAvailable {
            throw ValidationError("cannot use --switches: \(Ed25519.isMissing)")
        }
        for (name, value) in [
            ("--header-timeout", headerTimeout), ("--body-timeout", bodyTimeout), ("--idle-timeout", idleTimeout),
            ("--drain-timeout", drainTimeout), ("--maximum-connections", maximumConnections),
            ("--keep-days", keepDays ?? 1),
        ] where value < 1 { throw ValidationError("\(name) must be greater than zero") }
        for (name, value) in [("--key-rate", keyRate), ("--install-rate", installRate)] where value < 0 {
            throw ValidationError("\(name) must be 0 or more")
        }
        for (name, value) in [("--keep-bytes", keepBytes), ("--max-bytes", maxBytes)] where value ?? 1 < 1 {
            throw ValidationError("\(name) must be greater than zero")
        }
    }

    func run() async throws {
        if printConfig {
            for (name, value) in configuration { print("\(name) = \(value)") }
            return
        }
        let limit = Self.raiseDescriptorLimit()
        var settings = self.settings
        settings.maximumConnections = min(settings.maximumConnections, max(16, limit - 200))
        try DataFolder.prepare(data.data)
        settings.maximumStoredBytes = maxBytes ?? DataFolder.totalBytes(data.data).map { $0 / 10 * 8 }
        try makeFirstKeys()
        let host = self.host
        let scheme = tlsCertificate == nil ? "http" : "https"
        let service: CollectorService
        do {
            service = try CollectorService(settings) { port in
                print("collector: listening on \(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)")
                Self.flush()
            }
        } catch let invalid as ClientMappings.Invalid {
            throw CommandFailure(.dataError, invalid.description)
        }
        if tlsCertificate == nil, !["127.0.0.1", "::1", "localhost"].contains(host) {
            settings.logger.warning(
                "keys and events cross the network unencrypted; set --tls-certificate, or use a TLS proxy"
            )
        }
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: settings.logger)
        configuration.maximumGracefulShutdownDuration = settings.drainTimeout
        do { try await ServiceGroup(configuration: configuration).run() } catch let error as IOError {
            throw CommandFailure(
                .inputOutput,
                "cannot listen on \(host):\(port): \(error); free the port, or choose another with --port")
        }
    }

    private static func flush() {
        fflush(nil)
    }

    /// Creates a write key and an admin token at the first start. Prints the token to a terminal only: other output is often a
    /// journal that more people can read.
    private func makeFirstKeys() throws {
        let file = KeyFile(folder: data.data)
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        let now = EventTime.ofSystem()
        let write = AccessKey.draw(.write, app: "default", at: now)
        let admin = AccessKey.draw(.admin, app: "admin", at: now)
        let token = AdminTokenFile(folder: data.data)
        let isShown = isatty(STDOUT_FILENO) == 1
        // Before the keys: after a kill in between, the next start makes both again.
        if !isShown { try token.write(admin.key) }
        try file.write([write.entry, admin.entry])
        print("write key:   \(write.key)")
        print(
            isShown
                ? """
                admin token: \(admin.key)
                Both are printed only once. Apps send the write key; for trackctl: export TRACKING_COLLECTOR_TOKEN=…
                """
                : """
                admin token: in \(token.path)
                Apps send the write key; for trackctl: --token-file \(token.path). Remove the file once you have stored the token elsewhere.
                """)
        Self.flush()
    }

    /// Raises the soft limit of open files to the hard limit: each connection needs a file descriptor.
    ///
    /// - Returns: The limit.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, 1 << 20)
        return Int(setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
    }

    private var settings: CollectorSettings {
        let level = logLevel
        var logger = Logger(label: "collector") { label in
            var handler = JSONLogHandler(label: label)
            handler.logLevel = level
            return handler
        }
        logger.logLevel = level
        var settings = CollectorSettings(folder: data.data, logger: logger)
        settings.host = host
        settings.port = port
        settings.schemas = schemas
        settings.unknownSchemas = unknownSchemas
        settings.mappings = mappings
        settings.switches = switches
        settings.origins = corsOrigin
        settings.forwarding = forwarding.maker
        settings.livePage = livePage
        settings.firingMatrix = firingMatrix
        if let tlsCertificate, let tlsKey { settings.tls = .init(certificate: tlsCertificate, key: tlsKey) }
        // Allow bursts of ten seconds.
        settings.keyQuota = .init(perSecond: keyRate, burst: 10 * min(keyRate, 1 << 40))
        settings.installQuota.perSecond = installRate
        settings.retention = StoreRetention(
            maximumAge: keepDays.map { .seconds($0 * 86_400) }, maximumBytes: keepBytes)
        settings.backups = backups
        settings.headerTimeout = .seconds(headerTimeout)
        settings.bodyTimeout = .seconds(bodyTimeout)
        settings.isBehindProxy = trustedProxy
        settings.idleTimeout = .seconds(idleTimeout)
        settings.drainTimeout = .seconds(drainTimeout)
        settings.maximumConnections = maximumConnections
        return settings
    }

    /// The effective configuration, in the format of a configuration file.
    private var configuration: [(String, String)] {
        var all = [
            ("data", data.data), ("host", host), ("port", "\(port)"), ("schemas", schemas ?? "(standard events)"),
            ("unknown-schemas", unknownSchemas.rawValue), ("mappings", mappings ?? "(built in)"),
            ("switches", switches ?? "(none)"),
            ("live-page", livePage.map { "\($0)" } ?? "(on loopback addresses)"),
            ("firing-matrix", firingMatrix ?? "(none)"),
        ]
        all += forwarding.configuration
        all += corsOrigin.map { ("cors-origin", $0) }
        all += [
            ("tls-certificate", tlsCertificate ?? "(none)"), ("tls-key", tlsKey == nil ? "(none)" : "(masked)"),
            ("key-rate", "\(keyRate)"), ("install-rate", "\(installRate)"),
            ("keep-days", keepDays.map { "\($0)" } ?? "(forever)"),
            ("keep-bytes", keepBytes.map { "\($0)" } ?? "(no limit)"),
            ("max-bytes", maxBytes.map { "\($0)" } ?? "(80 % of the file system)"),
            ("backups", backups ?? "(disabled)"),
            ("header-timeout", "\(headerTimeout)"), ("body-timeout", "\(bodyTimeout)"),
            ("trusted-proxy", "\(trustedProxy)"), ("idle-timeout", "\(idleTimeout)"),
            ("drain-timeout", "\(drainTimeout)"),
            ("maximum-connections", "\(maximumConnections)"), ("log-level", logLevel.rawValue),
            ("keys", "(masked: see collector keys list)"),
        ]
        return all
    }
}

extension Intake.UnknownSchemas: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
