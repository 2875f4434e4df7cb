#if Collector
    package import CollectorIntake
    package import CollectorStore
    package import EventModel
    internal import Foundation
    package import Logging

    /// What a collector is started with.
    package struct CollectorSettings: Sendable {
        /// The data folder. The folder above it must exist.
        package var folder: String
        package var host = "127.0.0.1"
        /// 0 lets the system choose.
        package var port = 8787
        /// The folder of schemas; nil for the standard events.
        package var schemas: String?
        package var unknownSchemas = Intake.UnknownSchemas.keep
        package var limits = IntakeLimits()
        /// Events a second, for each write key.
        package var keyQuota = EventQuota.Rate(perSecond: 100_000, burst: 1_000_000)
        /// Events a second, for each install. The burst lets a day offline through: 864,000 events.
        package var installQuota = EventQuota.Rate(perSecond: 5_000, burst: 1_000_000)
        /// Origins whose pages may send events (CORS), such as `https://app.example.com`.
        package var origins: [String] = []
        package var tls: TLSFiles?
        /// From the first byte of a request to the end of its header.
        package var headerTimeout = Duration.seconds(10)
        /// From the end of the header to the end of the body.
        package var bodyTimeout = Duration.seconds(30)
        /// Between two requests of a connection.
        package var idleTimeout = Duration.seconds(75)
        /// The most connections at a time. More wait in the system's queue.
        package var maximumConnections = 20_000
        /// The most requests that are read or wait for the disk at a time; more are answered with 503.
        package var maximumRequests = 1_000
        /// The most bytes of bodies in memory; more are answered with 503.
        package var maximumBodyBytes = 96 << 20
        /// Less free space answers 503, and `readyz` says so.
        package var minimumFreeBytes: Int64 = 64 << 20
        /// What is kept.
        package var retention = StoreRetention()
        /// How long a SIGTERM waits for requests that are being served.
        package var drainTimeout = Duration.seconds(20)
        /// Where backups are written; nil refuses them.
        package var backups: String?
        package var logger: Logger
        package var now: @Sendable () -> EventTime = EventTime.ofSystem
        package var store = BatchStore.Options()

        package struct TLSFiles: Sendable {
            /// PEM files. Both are read again when one of them changes.
            package var certificate: String
            package var key: String

            package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
        }

        package init(folder: String, logger: Logger) { (self.folder, self.logger) = (folder, logger) }
    }
#endif
