package import CommandRunner
internal import Foundation

/// A NATS server with JetStream in a folder of its own, which tests start, kill and restart.
package final class NATSServer: @unchecked Sendable {  // used by one test at a time
    /// The program; nil if `tools/cluster/environment` has not been run.
    package static let program: String? = {
        let path = FileManager.default.currentDirectoryPath + "/.build/cluster-environment/bin/nats-server"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Whether tests can start servers.
    package static var isInstalled: Bool { program != nil }

    package let url: String
    private let folder: TemporaryFolder
    private var process: Process?

    /// Starts a server, without TLS if there is no certificate.
    ///
    /// - Parameters:
    ///   - client: Clients need this certificate; nil if they need none.
    ///   - maximumPayload: The largest message, in bytes.
    package init(
        _ certificate: SelfSignedCertificate? = nil, client: SelfSignedCertificate? = nil,
        maximumPayload: Int = 1 << 20
    ) throws {
        folder = try TemporaryFolder()
        let port = try Self.freePort()
        url = "\(certificate == nil ? "nats" : "tls")://127.0.0.1:\(port)"
        var text = """
            listen: "127.0.0.1:\(port)"
            max_payload: \(maximumPayload)
            jetstream { store_dir: "\(folder.path("store"))", sync_interval: always }

            """
        if let certificate {
            let verification = client.map { #", verify: true, ca_file: "\#($0.certificate)""# } ?? ""
            text +=
                #"tls { cert_file: "\#(certificate.certificate)", key_file: "\#(certificate.key)"\#(verification) }"#
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("server.conf")))
        try start()
    }

    deinit { kill() }

    /// Starts the server again, on the same port.
    package func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program ?? "/nonexistent")
        process.arguments = ["-c", folder.path("server.conf"), "-l", folder.path("log")]
        try process.run()
        self.process = process
    }

    /// Kills the server with SIGKILL.
    package func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Removes everything that the server stored. It must not run.
    package func forget() throws { try FileManager.default.removeItem(atPath: folder.path("store")) }

    /// Below the ports that systems give to clients: another test's connection must not have it when the server starts again.
    private static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 10_000..<32_000)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            let isFree = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }
}
