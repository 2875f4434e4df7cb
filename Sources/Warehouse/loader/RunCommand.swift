import ArgumentParser
import Foundation
import Warehouse

/// `loader run`, also run by `loader` without a subcommand.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Load events until SIGTERM or SIGINT.")

    @OptionGroup(title: "Stream") var stream: StreamOptions

    @OptionGroup(title: "ClickHouse") var clickhouse: ClickHouseOptions

    @Option(help: ArgumentHelp("Folder for zstd-compressed JSON lines.", valueName: "folder"))
    var folder: String?

    @Option(help: ArgumentHelp("Maximum number of rows in a block, from 1 to 100000.", valueName: "count"))
    var blockRows = 50_000

    @Option(
        help: ArgumentHelp(
            "Longest time in seconds that events wait for more events of their block.", valueName: "seconds"))
    var blockAge = 5.0

    @Option(
        help: ArgumentHelp(
            "Time in seconds until collectors request numbers that no collector has forwarded.",
            valueName: "seconds"))
    var gapAge = 600

    @Option(
        help: ArgumentHelp(
            """
            Time in days for which the hashes of stored lines are kept, to recognize repeated lines: about 12 bytes \
            per event. What arrives later under a stored number is stored as a fork.
            """, valueName: "days"))
    var hashDays = 400

    @Option(
        help: ArgumentHelp(
            "File for metrics, rewritten every ten seconds for the textfile collector of Prometheus' node_exporter.",
            valueName: "file"))
    var metricsFile: String?

    @Flag(help: "Load what the stream has now, and exit.")
    var once = false

    @Flag(
        name: .customLong("print-ddl"), help: "Print the statements that create the tables in ClickHouse, and exit."
    )
    var printDDL = false

    func validate() throws {
        if printDDL { return }
        try stream.check()
        guard clickhouse.clickhouse != nil || folder != nil else {
            throw ValidationError("no store: pass --clickhouse, --folder, or both")
        }
        guard (1...100_000).contains(blockRows) else {
            throw ValidationError("--block-rows must be from 1 to 100000")
        }
        guard (0.05...3600).contains(blockAge) else {
            throw ValidationError("--block-age must be from 0.05 to 3600 seconds")
        }
        guard (1...86_400).contains(gapAge) else {
            throw ValidationError("--gap-age must be from 1 to 86400 seconds")
        }
        guard (1...36_500).contains(hashDays) else {
            throw ValidationError("--hash-days must be from 1 to 36500")
        }
        if let metricsFile, !metricsFile.hasSuffix(".prom") {
            throw ValidationError("--metrics-file must end in .prom, as the textfile collector requires")
        }
    }

    func run() throws {
        if printDDL {
            for statement in ClickHouseTables.statements { print(statement + ";\n") }
            return
        }
        var stores: [any WarehouseStore] = []
        if let folder { stores.append(FolderStore(folder: folder)) }
        if let store = try clickhouse.store() { stores.append(store) }
        var options = Loader.Options()
        options.blockRows = blockRows
        options.blockAge = .milliseconds(Int64(blockAge * 1000))
        options.gapAge = .seconds(gapAge)
        options.metricsFile = metricsFile
        options.runsOnce = once
        options.hashDays = hashDays
        guard let loader = try stream.loader(stores, options) else { return }
        print("loader: loading partitions \(loader.partitionNames) of \(loader.address)")
        fflush(nil)
        try loader.run()
    }
}
