internal import ArgumentParser
internal import CommandSupport

#if ALL_SERVERS
    internal import Foundation
    internal import LogMaintenance
    internal import StreamClient
    internal import Warehouse
#endif

/// The stages after the collectors. Only programs with all servers can read them.
struct StageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "NATS servers that the collectors forward to: nats://HOST:PORT or tls://HOST:PORT, comma-separated.",
            valueName: "urls"))
    var stream: String?

    @OptionGroup var access: StreamAccess

    @Option(
        help: ArgumentHelp(
            """
            Warehouse: clickhouse://HOST:PORT/DATABASE (over HTTPS, on a loopback address HTTP), or duckdb:FOLDER, a \
            folder of a loader, read with the program duckdb. Repeatable.
            """, valueName: "address"))
    var warehouse: [String] = []

    @Option(
        help: ArgumentHelp("User of ClickHouse; the password is in TRACKING_CLICKHOUSE_PASSWORD.", valueName: "name"))
    var clickhouseUser: String?

    @Option(help: ArgumentHelp("Name or path of DuckDB's command-line program.", valueName: "program"))
    var duckdb = "duckdb"

    @Option(help: ArgumentHelp("Longest wait in seconds for events on their way.", valueName: "seconds"))
    var wait = 10

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait must be from 0 to 86400 seconds") }
        #if !ALL_SERVERS
            if stream != nil || !warehouse.isEmpty {
                throw ValidationError(
                    """
                    cannot use --stream and --warehouse: this trackctl was built without the servers; build it with \
                    TRACKING_SERVERS=all
                    """)
            }
        #endif
        for address in warehouse where !address.hasPrefix("clickhouse://") && !address.hasPrefix("duckdb:") {
            throw ValidationError(
                "invalid --warehouse '\(address)': pass clickhouse://HOST:PORT/DATABASE or duckdb:FOLDER")
        }
    }

    /// Compares the collectors with each stage. Reads again while events are missing, until ``wait`` is over.
    ///
    /// - Throws: `StreamError`, `LoaderError`, ``CommandFailure``.
    func compare(_ logs: inout [CollectedLog]) async throws {
        #if ALL_SERVERS
            let ids = Set(logs.flatMap { $0.installs.map(\.installID) }).sorted()
            for stage in try stages() {
                let deadline = ContinuousClock.now.advanced(by: .seconds(wait))
                var pause = Duration.milliseconds(500)
                while true {
                    let found = try stage.read(ids)
                    let results = Self.compare(logs, kind: stage.kind, name: stage.name, found: found)
                    if results.allSatisfy({ $0.missing.isEmpty }) || ContinuousClock.now.advanced(by: pause) > deadline
                    {
                        Self.add(results, to: &logs)
                        break
                    }
                    try await Task.sleep(for: pause)
                    pause = min(.seconds(5), pause * 2)
                }
            }
        #endif
    }

    #if ALL_SERVERS
        private struct Stage {
            var kind: DeliveryStage
            var name: String
            var read: (_ installs: [String]) throws -> [String: StageLines]
        }

        private func stages() throws -> [Stage] {
            var stages: [Stage] = []
            if let stream {
                var options = JetStream.Options(servers: stream, name: "trackctl")
                options.credentials = access.streamCredentials
                options.authority = access.streamAuthority
                options.certificate = access.streamCertificate
                options.key = access.streamKey
                let reading = StreamReading(try JetStream(options))
                stages.append(Stage(kind: .stream, name: reading.name, read: reading.lines))
            }
            for address in warehouse {
                let reader = try reader(of: address)
                stages.append(Stage(kind: .warehouse, name: reader.name, read: reader.lines))
            }
            return stages
        }

        private func reader(of address: String) throws -> any WarehouseReader {
            if address.hasPrefix("duckdb:") {
                return DuckDBReader(folder: String(address.dropFirst("duckdb:".count)), program: duckdb)
            }
            guard var parts = URLComponents(string: address), let host = parts.host, !host.isEmpty, parts.user == nil,
                parts.path.count > 1, !parts.path.dropFirst().contains("/")
            else {
                throw CommandFailure(
                    .usage, "invalid --warehouse '\(address)': pass clickhouse://HOST:PORT/DATABASE")
            }
            let database = String(parts.path.dropFirst())
            parts.path = ""
            parts.scheme = ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host) ? "http" : "https"
            let password = ProcessInfo.processInfo.environment["TRACKING_CLICKHOUSE_PASSWORD"]
            return ClickHouseReader(
                try ClickHouseClient(
                    url: parts.string ?? address, database: database, user: clickhouseUser, password: password))
        }

        private static func compare(
            _ logs: [CollectedLog], kind: DeliveryStage, name: String, found: [String: StageLines]
        ) -> [StageReconciliation] {
            logs.flatMap(\.installs).map { install in
                StageReconciliation(
                    kind, name: name, installID: install.installID, collector: install.collector, runs: install.runs,
                    found[install.installID] ?? StageLines())
            }
        }

        private static func add(_ results: [StageReconciliation], to logs: inout [CollectedLog]) {
            var next = results.makeIterator()
            for log in logs.indices {
                for install in logs[log].installs.indices {
                    if let result = next.next() { logs[log].installs[install].stages.append(result) }
                }
            }
        }
    #endif
}
