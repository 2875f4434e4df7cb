package import CollectorServer
package import CollectorStore

/// Where a collector forwards what it accepts.
package struct ForwardingSettings: Sendable {
    /// `nats://host:port` or `tls://host:port`, separated by commas.
    package var servers: String
    /// A file with a NATS user's JWT and key; nil for none.
    package var credentials: String?
    /// PEM certificates of the servers' authority; nil for the system's.
    package var authority: String?
    /// The collector's PEM certificate, for servers that verify clients; nil for none.
    package var certificate: String?
    /// The PEM private key of ``certificate``.
    package var key: String?
    /// The number of partitions of a stream that is created.
    package var partitions = 16
    /// The number of replicas of a stream that is created.
    package var replicas = 3
    /// Whether a batch is answered only after the stream has it.
    package var answersWhenReplicated = false
    /// The longest wait for the stream before an answer.
    package var answerTimeout = Duration.seconds(10)
    /// The longest wait for a response of the stream, after which an attempt has failed.
    package var streamTimeout = Duration.seconds(5)

    package init(servers: String) { self.servers = servers }

    /// Opens a forwarder with these settings.
    package var maker: Forwarding.Maker {
        { [self] store, folder, logger throws(StoreError) in
            try StreamForwarding(store, folder: folder, settings: self, logger: logger)
        }
    }
}
