internal import ArgumentParser
internal import CommandSupport
internal import DeliveryHTTP
internal import DeliveryProtocol
internal import LogMaintenance

/// `trackctl reconcile`: checks that a collector has everything that a log has sent.
struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compare an event log with a collector, number by number.",
        discussion: """
            Examples:
              trackctl reconcile events.sqlite --collector https://collector.example.com --token-file token

            Each install of a log, including those before a fork, numbers its events from 1. Each number has one of \
            these states: stored at the collector; explained (erased, refused or dropped, by either side); held until \
            its user consents; waiting on the device; forked (delivered under a later install, because the collector \
            has different bytes under the number); or unexplained: lost. If several states apply, the first of these \
            counts: erased, forked, stored, refused or dropped, held, waiting.

            For each run of numbers that the collector received in one batch, the collector's hash is compared with \
            the hash of the device's lines. The order of the lines does not matter. Runs with lines that the log no \
            longer has cannot be compared; the report shows how many there are.

            An app may have the log open. reconcile writes nothing to it.

            Exit code 0: nothing is lost and no line differs; 1: a number is unexplained, stored twice, or has \
            different bytes; 65: an input is not an event log; 66: an input does not exist; 69: the collector is \
            unavailable.
            """
    )

    @Argument(help: "Event logs.")
    var logs: [String]

    @Option(
        name: .customLong("collector"),
        help: ArgumentHelp(
            "Collector's origin, or its /v1/events URL: https, or http on a loopback address.", valueName: "url"))
    var url: String

    @OptionGroup(title: "Collector") var collector: CollectorOptions

    @Option(
        help: ArgumentHelp("Name of the sink that delivers to the collector, as in the log.", valueName: "name")
    )
    var consumer = "http"

    @Flag(name: .customLong("json"), help: "Print one JSON object per log, each on one line, instead of text.")
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
        // `DeviceLog` requires this order.
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
