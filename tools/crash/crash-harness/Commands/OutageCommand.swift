import ArgumentParser
import EventLog
import TrackingCore

/// `outage`: a day without a network and an hour of 503, in virtual time.
struct OutageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outage",
        abstract: "Simulate a day offline and an hour of 503, and count calls, deliveries and losses.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Hours without a network. Default 24, short 1.")
    var hours: Int?

    func validate() throws { try requireAboveZero(("--hours", hours)) }

    func run() async throws {
        try await options.run("outage") { workspace, _, findings in
            let offline = Duration.seconds(3600 * (hours ?? (options.short ? 1 : 24)))
            var rows: [(String, String)] = []
            for (title, retention) in [("all kept", Retention.keepAll), ("default caps", .standard)] {
                let outage = try Outage(
                    title: title, folder: try workspace.makeFolder(title), retention: retention, offline: offline)
                rows += try await outage.run(&findings)
            }
            return rows
        }
    }
}
