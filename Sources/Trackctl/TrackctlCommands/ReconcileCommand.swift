internal import ArgumentParser
internal import CommandSupport
internal import DeliveryHTTP
internal import DeliveryProtocol
internal import LogMaintenance

/// `trackctl reconcile`: checks that collectors, the stream and a warehouse have everything that a log has sent.
struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compare event logs with collectors, a stream and a warehouse, number by number.",
        discussion: """
            Examples:
              trackctl reconcile events.sqlite --collector https://collector.example.com --token-file token

            In a build with TRACKING_SERVERS=all:
              trackctl reconcile *.sqlite --collector URL --stream nats://127.0.0.1:4222 --warehouse duckdb:FOLDER

            Each install of a log, including those before a fork, numbers its events from 1. Each number has one of \
            these states: stored at a collector; explained (erased, opted out, refused or dropped, by either side); \
            held until its user consents; waiting on the device; forked (delivered under a later install, because a \
            collector has different bytes under the number); or unexplained: lost. If several states apply, the first \
            of these counts: erased, forked, stored, opted out, refused or dropped, held, waiting.

            For each run of numbers that a collector received in one batch, the collector's hash is compared with \
            the hash of the device's lines. The order of the lines does not matter. Runs with lines that the log no \
            longer has cannot be compared; the report shows how many there are.

            --stream and --warehouse compare each later stage with the collectors, with the same hashes, computed from \
            the raw lines that the stage has: what is missing, doubled, changed, erased upstream, or at no collector, \
            and lines of a clone, which are stored under the id of a fork. Events on their way count as missing; \
            reconcile reads again for --wait seconds. Pass all collectors that receive events of these installs. \
            Events are erased upstream if a collector has erased them, and the stage still has them: the report has \
            the command that removes them.

            This cannot be proven: that an install which never returns had no further events; that a client which \
            knows a write key did not make events up; and what was lost before it got a number, except for its count \
            in the ledger.

            An app may have the log open. reconcile writes nothing to it.

            Exit code 0: nothing is lost and no line differs; 1: a number is unexplained, stored twice, has different \
            bytes at any stage, or is erased upstream; 64: a server is too old; 65: an input is not an event log; 66: \
            an input does not exist; 69: a server is unavailable.
            """
    )

    @Argument(help: "Event logs.")
    var logs: [String]

    @Option(
        name: .customLong("collector"),
        help: ArgumentHelp(
            "Collector's origin, or its /v1/events URL: https, or http on a loopback address. Repeatable.",
            valueName: "url"))
    var urls: [String]

    @Option(
        help: ArgumentHelp(
            """
            File with a collector's admin token; its mode must be 0600 or stricter. One for all collectors, or one \
            for each --collector, in the same order (default: the token in TRACKING_COLLECTOR_TOKEN).
            """, valueName: "file"))
    var tokenFile: [String] = []

    @OptionGroup var trusted: CertificateOptions

    @Option(
        help: ArgumentHelp("Name of the sink that delivers to the collector, as in the log.", valueName: "name")
    )
    var consumer = "http"

    @OptionGroup(title: "Later stages") var stages: StageOptions

    @Flag(name: .customLong("json"), help: "Print one JSON object per log, each on one line, instead of text.")
    var asJSON = false

    func validate() throws {
        guard !urls.isEmpty else { throw ValidationError("missing --collector; pass the collector's origin") }
        guard [0, 1, urls.count].contains(tokenFile.count) else {
            throw ValidationError("pass --token-file once, or once for each --collector")
        }
    }

    func run() async throws {
        let clients = try urls.enumerated().map { index, url in
            try CollectorAccess(
                tokenFile: tokenFile.count > 1 ? tokenFile[index] : tokenFile.first, certificates: trusted.certificates
            ).client(url)
        }
        let output = BufferedOutput.standardOutput()
        var status = ExitStatus.ok
        func complain(_ error: any Error) throws {
            let failure = CommandFailure(error)
            try output.flush()
            Console.complain(failure.message)
            if status == .ok || status == .findings { status = failure.status }
        }
        var accounts: [CollectedLog] = []
        for path in logs {
            do { accounts.append(try await Self.collect(path, consumer: consumer, clients)) } catch {
                try complain(error)
            }
        }
        do {
            try await stages.compare(&accounts)
        } catch {
            try complain(error)
        }
        for account in accounts {
            let report = ReconciledLog(
                path: account.path, consumer: consumer, collector: clients.map { "\($0.base)" }.joined(separator: ", "),
                installs: account.installs.map(\.reconciliation), stages: account.installs.flatMap(\.stages))
            for line in try asJSON ? [report.jsonLine()] : report.lines { try output.write(line: line.utf8) }
            if status == .ok, !report.isSound { status = .findings }
        }
        try output.flush()
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    /// Compares each install of a log with the collectors.
    ///
    /// - Throws: `EventLogError`, `LogMaintenanceError`, `CollectorError`, ``CommandFailure``.
    private static func collect(
        _ path: String, consumer: String, _ clients: [CollectorClient]
    ) async throws -> CollectedLog {
        // `DeviceLog` requires this order.
        let log = try DeviceLog(path: path, consumer: consumer)
        var runs: [String: [[RangeHash]]] = [:]
        for install in log.installs {
            for client in clients {
                let hashes = try await patiently { () async throws(CollectorError) in
                    try await client.hashes(ofInstall: install)
                }
                runs[install, default: []].append(hashes)
            }
        }
        var installs: [CollectedInstall] = []
        for account in try log.accounts(hashing: runs) {
            var summaries: [InstallSummary] = []
            for client in clients {
                let summary = try await patiently { () async throws(CollectorError) in
                    try await client.install(account.installID)
                }
                if let summary { summaries.append(summary) }
            }
            let collector = InstallSummary.merged(summaries)
            let runs = runs[account.installID, default: []]
            installs.append(
                CollectedInstall(
                    reconciliation: Reconciliation(account, collector: collector, runs: runs), collector: collector,
                    runs: runs.flatMap(\.self)))
        }
        return CollectedLog(path: path, installs: installs)
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

/// A log, and what the collectors have of it.
struct CollectedLog {
    let path: String
    var installs: [CollectedInstall]
}

/// An install, and what the collectors and later stages have of it.
struct CollectedInstall {
    let reconciliation: Reconciliation
    /// The summary of all collectors.
    let collector: InstallSummary?
    /// The hashes of all collectors.
    let runs: [RangeHash]
    var stages: [StageReconciliation] = []

    var installID: String { reconciliation.installID }
}
