import ArgumentParser
import Foundation

/// `erasure`: a sender that erases users and stores answers, a collector and a loader are killed; then all files are searched.
struct ErasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasure",
        abstract: "Kill sender, collector and loader while users are erased, and search all files for their events.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of kills. Default 1000, short 24.")
    var kills: Int?

    func validate() throws { try requireAboveZero(("--kills", kills)) }

    func run() async throws {
        guard FileManager.default.isExecutableFile(atPath: "\(StreamServer.programs)/nats-server") else {
            throw HarnessError("cannot find nats-server; start this harness with tools/crash/run erasure")
        }
        try await options.run("erasure") { workspace, seed, findings in
            var session = ErasureSession(workspace: workspace, seed: seed)
            let goal = kills ?? (options.short ? 24 : 1_000)
            while session.kills < goal {
                try session.run(kills: min(Self.killsOfOneChain, goal - session.kills), keeps: options.keep, &findings)
                guard findings.isClean else { break }  // keeps its folder for inspection
                StandardOutput.note("  \(session.kills) kills")
            }
            return session.rows
        }
    }

    /// The number of kills after which a chain is finished and compared.
    private static let killsOfOneChain = 40
}
