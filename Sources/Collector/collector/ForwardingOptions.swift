import ArgumentParser
import CollectorServer
import CollectorStore

#if ALL_SERVERS
    import CollectorForwarding
#endif

/// Where accepted events are forwarded to. Only programs with all servers can forward.
struct ForwardingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            NATS servers with JetStream to forward accepted events to: nats://HOST:PORT or tls://HOST:PORT, \
            comma-separated. Several collectors may forward to the same servers. Default: none.
            """, valueName: "urls"))
    var forward: String?

    @Option(help: ArgumentHelp("File with a NATS user's JWT and key. Default: none.", valueName: "file"))
    var forwardCredentials: String?

    @Option(
        help: ArgumentHelp(
            "Certificate authority of the NATS servers, in PEM. Default: the system's.", valueName: "file"))
    var forwardAuthority: String?

    @Option(
        help: ArgumentHelp(
            "This program's certificate for NATS servers that verify clients, in PEM. Default: none.",
            valueName: "file"))
    var forwardCertificate: String?

    @Option(help: ArgumentHelp("Private key of the certificate, in PEM.", valueName: "file"))
    var forwardKey: String?

    @Option(help: ArgumentHelp("Number of partitions, if the stream is created.", valueName: "count"))
    var partitions = 16

    @Option(help: ArgumentHelp("Number of replicas, if the stream is created: 1, 3 or 5.", valueName: "count"))
    var replicas = 3

    @Option(
        help:
            "When to acknowledge events: synced (on this collector's disk) or replicated (also in the stream of --forward)."
    )
    var acknowledge = Acknowledgement.synced

    enum Acknowledgement: String, ExpressibleByArgument, CaseIterable {
        case synced, replicated
    }

    func validate() throws {
        #if !ALL_SERVERS
            if forward != nil {
                throw ValidationError(
                    "cannot use --forward: this collector was built without forwarding; build it with TRACKING_SERVERS=all"
                )
            }
        #endif
        guard (forwardCertificate == nil) == (forwardKey == nil) else {
            throw ValidationError("pass both --forward-certificate and --forward-key, or neither")
        }
        guard forward != nil || acknowledge == .synced else {
            throw ValidationError("--acknowledge replicated needs --forward; give the NATS servers")
        }
        guard (1...1024).contains(partitions) else { throw ValidationError("--partitions must be from 1 to 1024") }
        guard [1, 3, 5].contains(replicas) else { throw ValidationError("--replicas must be 1, 3 or 5") }
    }

    /// Opens the forwarder; nil without `--forward`.
    var maker: Forwarding.Maker? {
        #if ALL_SERVERS
            guard let forward else { return nil }
            var settings = ForwardingSettings(servers: forward)
            settings.credentials = forwardCredentials
            settings.authority = forwardAuthority
            settings.certificate = forwardCertificate
            settings.key = forwardKey
            settings.partitions = partitions
            settings.replicas = replicas
            settings.answersWhenReplicated = acknowledge == .replicated
            return settings.maker
        #else
            return nil
        #endif
    }

    /// Findings about messages of a data folder that the stream does not accept.
    static func findings(in dataFolder: String) -> [StoreFinding] {
        #if ALL_SERVERS
            return SetAsideMessages(dataFolder: dataFolder).findings()
        #else
            return []
        #endif
    }

    /// The effective values, in the format of a configuration file.
    var configuration: [(String, String)] {
        [
            // The addresses may contain a password.
            ("forward", forward == nil ? "(none)" : "(masked)"),
            ("forward-credentials", forwardCredentials ?? "(none)"),
            ("forward-authority", forwardAuthority ?? "(the system's)"),
            ("forward-certificate", forwardCertificate ?? "(none)"),
            ("forward-key", forwardKey == nil ? "(none)" : "(masked)"),
            ("partitions", "\(partitions)"), ("replicas", "\(replicas)"), ("acknowledge", acknowledge.rawValue),
        ]
    }
}
