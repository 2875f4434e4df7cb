import Foundation
internal import Primitives

/// A NATS server with JetStream on 127.0.0.1, which is not killed.
final class StreamServer {
    /// The folder of `nats-server` and `duckdb`, which `tools/crash/run` installs.
    static let programs = ProcessInfo.processInfo.environment["CRASH_SERVERS"] ?? ""

    let url: String
    private let child: Child

    /// Starts the server, and waits up to 20 seconds until it listens.
    ///
    /// - Throws: ``HarnessError``.
    init(_ workspace: Workspace, using random: inout SplitMix64) throws {
        let port = try Loopback.freePort(using: &random)
        url = "nats://127.0.0.1:\(port)"
        let configuration = """
            listen: "127.0.0.1:\(port)"
            max_payload: 1048576
            jetstream { store_dir: "\(workspace.path("stream"))", sync_interval: always }
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: workspace.path("stream.conf")))
        child = try Child(
            "\(Self.programs)/nats-server", ["-c", workspace.path("stream.conf")],
            errors: workspace.path("stream.log"))
        let deadline = ContinuousClock.now + .seconds(20)
        while ByteStream(port: port) == nil {
            guard child.poll() == nil, .now < deadline else {
                throw HarnessError("nats-server does not listen; see \(workspace.path("stream.log"))")
            }
            usleep(5_000)
        }
    }

    deinit { child.kill() }

    /// Ends the server with SIGTERM.
    func end() -> ChildEnd? {
        kill(child.pid, SIGTERM)
        return child.wait(seconds: 30)
    }
}
