internal import ArgumentParser
internal import CommandSupport
internal import DeliveryHTTP
internal import DeliveryProtocol
internal import LogMaintenance

/// `trackctl reconcile`: whether a collector has what a log has sent.
struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compares an event log with a collector, number by number.",
        discussion: """
            Examples:
              trackctl reconcile events.sqlite --collector https://collector.example.com --token-file token

            Each install of the log, those before a fork included, has numbered its events from 1. Each number is stored \
            at the collector; explained (erased, refused or dropped, by either side); held until its user agrees; waiting \
            on the device, not delivered yet; forked (delivered under a later install, since the collector has other bytes \
            under the number); or unexplained: lost. The first that holds, in the order erased, forked, stored, \
            refused or dropped, held, waiting.

            The collector's hash of each run of numbers that it got in one batch is compared with that of the same lines \
            on the device, whatever their order. A run whose lines the log no longer has cannot be compared, and is \
            counted.

            The log may be open in an app, and nothing is written to it.

            Exit code 0: nothing is lost and no line differs; 1: a number is unexplained, stored twice, or has other bytes; \
            65: an input is no event log; 66: there is no such input; 69: the collector is away.
            """
    )

    @Argument(help: "Event logs.")
    var logs: [String]

    @Option(
        name: .customLong("collector"),
        help: ArgumentHelp(
            "The collector's origin, or its /v1/events: https, or http on a loopback address.", valueName: "url"))
    var url: String

    @OptionGroup(title: "Collector") var collector: CollectorOptions

    @Option(
        help: ArgumentHelp("The name of the sink that delivers to the collector, as the log has it.", valueName: "name")
    )
    var consumer = "http"

    @Flag(name: .customLong("json"), help: "One JSON object a log on one line instead of text.")
    var asJSON = false

    func run() async throws {
        let client = try collector.access.client(url)
        let output = BufferedOutput.standardOutput()
        var status = ExitStatus.ok
        for path in logs {
            do {
                let report = ReconciledLog(
                    path: path, consumer: consumer, collector: "\(client.base)",
                    installs: try await Self.reconcile(path, consumer: consumer, client))
                for line in try asJSON ? [report.jsonLine()] : report.lines { try output.write(line: line.utf8) }
                if status == .ok, !report.isSound { status = .findings }
            } catch {
                let failure = CommandFailure(error)
                try output.flush()
                Console.complain(failure.message)
                if status == .ok || status == .findings { status = failure.status }
            }
        }
        try output.flush()
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    /// Compares each install of a log with the collector.
    ///
    /// - Throws: `EventLogError`, `LogMaintenanceError`, `CollectorError`, ``CommandFailure``.
    private static func reconcile(
        _ path: String, consumer: String, _ client: CollectorClient
    ) async throws -> [Reconciliation] {
        // In the order that `DeviceLog` asks for.
        let log = try DeviceLog(path: path, consumer: consumer)
        var runs: [String: [RangeHash]] = [:]
        for install in log.installs {
            runs[install] = try await patiently { () async throws(CollectorError) in
                try await client.hashes(ofInstall: install)
            }
        }
        var reconciliations: [Reconciliation] = []
        for account in try log.accounts(hashing: runs) {
            let summary = try await patiently { () async throws(CollectorError) in
                try await client.install(account.installID)
            }
            reconciliations.append(
                Reconciliation(account, collector: summary, runs: runs[account.installID, default: []]))
        }
        return reconciliations
    }

    private static func patiently<Value>(
        _ request: () async throws(CollectorError) -> Value
    ) async throws -> Value {
        var patience = CollectorPatience()
        while true {
            do throws(CollectorError) { return try await request() } catch {
                try await Task.sleep(for: patience.wait(after: error, hasAnswered: false))
            }
        }
    }
}
