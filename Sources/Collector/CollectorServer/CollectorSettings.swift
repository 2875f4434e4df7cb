package import CollectorIntake
package import CollectorStore
package import EventModel
internal import Foundation
package import Logging

package struct CollectorSettings: Sendable {
    /// The data folder. Its parent must exist.
    package var folder: String
    package var host = "127.0.0.1"
    /// 0 lets the system choose.
    package var port = 8787
    /// The folder of schemas; nil for the standard events.
    package var schemas: String?
    /// The folder of mappings for messages of other systems' clients; nil for the built-in mappings.
    package var mappings: String?
    /// The file with the remote switches; nil for none.
    package var switches: String?
    /// Opens what forwards accepted events; nil for nothing.
    package var forwarding: Forwarding.Maker?
    package var unknownSchemas = Intake.UnknownSchemas.keep
    package var limits = IntakeLimits()
    package var clientLimits = IntakeLimits.clients
    /// Events per second for each write key. The quotas of bytes are ``/CollectorIntake/IntakeLimits/bytesPerEvent``
    /// times as high.
    package var keyQuota = EventQuota.Rate(perSecond: 100_000, burst: 1_000_000)
    /// Events per second for each install. The burst accepts a day of offline events: 864,000 events.
    package var installQuota = EventQuota.Rate(perSecond: 5_000, burst: 1_000_000)
    /// Origins whose pages may send events (CORS), such as `https://app.example.com`.
    package var origins: [String] = []
    package var tls: TLSFiles?
    /// Whether the live page is served; nil: only if ``host`` is loopback.
    package var livePage: Bool?
    /// The file of the test kit's `FiringMatrix`, reread when it changes: the live page shows which tests assert an
    /// event. nil for none.
    package var firingMatrix: String?
    /// The time from the first byte of a request to the end of its header.
    package var headerTimeout = Duration.seconds(10)
    /// The time from the end of the header to the end of the body.
    package var bodyTimeout = Duration.seconds(30)
    /// The time from the end of the header to the end of the body, until the request has named a known key.
    package var keylessTimeout = Duration.seconds(5)
    /// Whether all connections come from a proxy, so that the addresses of clients are unknown.
    package var isBehindProxy = false
    /// The idle time between two requests of a connection.
    package var idleTimeout = Duration.seconds(75)
    /// The maximum number of connections. Further connections wait in the system's queue.
    package var maximumConnections = 20_000
    /// How often the bytes of events that clients erased are removed, in rounds of the background work, one a second.
    package var roundsBetweenRemovals = 3600
    /// The maximum number of requests that are being read or wait for the disk; further requests get 503.
    package var maximumRequests = 1_000
    /// The maximum number of bytes of bodies in memory; further requests get 503.
    package var maximumBodyBytes = 64 << 20
    /// The maximum number of bytes of answers that clients have not read; beyond it, the connections with the most are
    /// closed.
    package var maximumAnswerBytes = 32 << 20
    /// With less free space than this, requests get 503 and `readyz` fails.
    package var minimumFreeBytes: Int64 = 64 << 20
    /// The size of segments and index in bytes, above which requests get 503 and `readyz` fails; nil for no limit.
    /// Nothing is removed.
    package var maximumStoredBytes: Int64?
    /// How long events are kept.
    package var retention = StoreRetention()
    /// How long a SIGTERM waits for requests in progress.
    package var drainTimeout = Duration.seconds(20)
    /// The folder for backups; nil disables backups.
    package var backups: String?
    package var logger: Logger
    package var now: @Sendable () -> EventTime = EventTime.ofSystem
    /// Paces the background work: it sleeps a second before each round.
    package var clock: any Clock<Duration> = ContinuousClock()
    package var store = BatchStore.Options()

    package struct TLSFiles: Sendable {
        /// PEM files. Both are reloaded when one of them changes.
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package init(folder: String, logger: Logger) {
        self.folder = folder
        self.logger = logger
    }
}
