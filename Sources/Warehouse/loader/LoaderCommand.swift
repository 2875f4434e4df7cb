#if NATS
    import ArgumentParser
    import CommandSupport
    import Foundation
    import LogFiles
    import Primitives
    import StreamClient
    import WarehouseBlocks
    import WarehouseStores

    /// The command `loader`.
    struct LoaderCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "loader",
            abstract: "Write events from JetStream to ClickHouse and to folders, each exactly once.",
            discussion: """
                Examples:
                  loader --stream nats://127.0.0.1:4222 --folder /var/lib/events
                  loader --stream nats://a:4222,nats://b:4222 --partitions 0-7 --clickhouse http://127.0.0.1:8123
                  loader --print-ddl

                Several loaders share the work: give each its own partitions and its own --state folder. A partition must \
                have one loader at a time. After a crash, start the loader again with the same state.

                Defaults for options can be set in ~/.config/loader/config or $LOADER_CONFIG. Environment variables such as \
                LOADER_STREAM override the file, and the command line overrides both. Set the password of ClickHouse in \
                LOADER_CLICKHOUSE_PASSWORD.

                Exit codes: 0 ended by a signal; 64 wrong usage, also servers that are too old or settings that differ; 65 \
                messages or rows have changed; 66 the stream does not exist; 69 a server is unavailable at the start; 70 \
                internal error; 74 a file cannot be used; 75 another loader uses the state.
                """,
            version: "0.1.0")

        @Option(help: ArgumentHelp("Servers: nats://HOST:PORT or tls://HOST:PORT, comma-separated.", valueName: "urls"))
        var stream: String?

        @Option(help: ArgumentHelp("File with a NATS user's JWT and key. Default: none.", valueName: "file"))
        var streamCredentials: String?

        @Option(help: ArgumentHelp("Certificate authority of the NATS servers, in PEM. Default: the system's.", valueName: "file"))
        var streamAuthority: String?

        @Option(help: ArgumentHelp("Partitions, such as 0-7 or 3,5. Default: all.", valueName: "numbers"))
        var partitions: String?

        @Option(help: ArgumentHelp("Folder for what is loaded so far; created if missing.", valueName: "folder"))
        var state = "loader-state"

        @Option(help: ArgumentHelp("ClickHouse: https://HOST:PORT, or http on a loopback address.", valueName: "url"))
        var clickhouse: String?

        @Option(help: ArgumentHelp("Database in ClickHouse; created if missing.", valueName: "name"))
        var database = "tracking"

        @Option(help: ArgumentHelp("User of ClickHouse. Default: ClickHouse's default user.", valueName: "name"))
        var clickhouseUser: String?

        @Option(help: .hidden)
        var clickhousePassword: String?

        @Option(help: ArgumentHelp("Folder for zstd-compressed JSON lines.", valueName: "folder"))
        var folder: String?

        @Option(help: ArgumentHelp("Maximum number of rows in a block, from 1 to 100000.", valueName: "count"))
        var blockRows = 50_000

        @Option(help: ArgumentHelp("Longest time in seconds that events wait for more events of their block.", valueName: "seconds"))
        var blockAge = 5.0

        @Option(
            help: ArgumentHelp(
                "File for metrics, rewritten every ten seconds for the textfile collector of Prometheus' node_exporter.",
                valueName: "file"))
        var metricsFile: String?

        @Flag(help: "Load what the stream has now, and exit.")
        var once = false

        @Flag(name: .customLong("print-ddl"), help: "Print the statements that create the tables in ClickHouse, and exit.")
        var printDDL = false

        func validate() throws {
            if printDDL { return }
            guard stream != nil else { throw ValidationError("--stream is missing; pass the NATS servers") }
            guard clickhouse != nil || folder != nil else {
                throw ValidationError("no store: pass --clickhouse, --folder, or both")
            }
            guard (1...100_000).contains(blockRows) else {
                throw ValidationError("--block-rows must be from 1 to 100000")
            }
            guard (0.05...3600).contains(blockAge) else {
                throw ValidationError("--block-age must be from 0.05 to 3600 seconds")
            }
            if let metricsFile, !metricsFile.hasSuffix(".prom") {
                throw ValidationError("--metrics-file must end in .prom, as the textfile collector requires")
            }
            if let partitions { _ = try PartitionList(partitions) }
        }

        func run() throws {
            if printDDL {
                for statement in ClickHouseTables.statements { print(statement + ";\n") }
                return
            }
            var options = JetStream.Options(servers: stream ?? "", name: "loader")
            (options.credentials, options.authority) = (streamCredentials, streamAuthority)
            var stores: [any WarehouseStore] = []
            if let folder { stores.append(FolderStore(folder: folder)) }
            if let clickhouse {
                stores.append(
                    ClickHouseStore(
                        try ClickHouseClient(
                            url: clickhouse, database: database, user: clickhouseUser, password: clickhousePassword)))
            }
            let list = try partitions.map { try PartitionList($0) }
            Interruption.listen()
            guard
                let loader = try Self.patiently({
                    try Loader(
                        JetStream(options), partitions: list, state: state, stores,
                        .init(
                            blockRows: blockRows, blockAge: .milliseconds(Int64(blockAge * 1000)),
                            metricsFile: metricsFile, runsOnce: once))
                })
            else { return }
            print("loader: loading partitions \(loader.partitionNames) of \(loader.address)")
            fflush(nil)
            try loader.run()
        }

        /// Tries for a minute while servers are not available or the stream does not exist yet: at the start of a whole system,
        /// they may be starting, too.
        ///
        /// - Returns: nil after a signal.
        /// - Throws: The last error.
        private static func patiently<Result>(_ body: () throws -> Result) throws -> Result? {
            let end = ContinuousClock.now.advanced(by: .seconds(60))
            var backOff = BackOff()
            while true {
                do { return try body() } catch let error as any LayerError {
                    guard [.unavailable, .notFound].contains(error.category), .now < end else { throw error }
                    let wait = backOff.failed()
                    LoaderLog.write(.warning, error.message, ["retry_in": "\(wait)"])
                    guard Interruption.wait(wait) else { return nil }
                }
            }
        }

        /// Runs the command with the arguments of this process, then exits.
        static func runProgram() -> Never {
            let arguments = Array(CommandLine.arguments.dropFirst())
            Foundation.exit(run(arguments, ProcessInfo.processInfo.environment))
        }

        private static func run(_ typed: [String], _ environment: [String: String]) -> Int32 {
            do {
                let arguments = try PresetArguments.complete(
                    typed, of: Self.self, program: "loader", environment: environment)
                let command = try parse(arguments)
                try command.run()
                return ExitStatus.ok.rawValue
            } catch let failure as CommandFailure {
                complain(failure.message)
                return failure.status.rawValue
            } catch {
                let code = exitCode(for: error)
                guard code != .failure else {
                    let failure = CommandFailure(error)
                    complain(failure.message)
                    return failure.status.rawValue
                }
                let text = fullMessage(for: error)
                guard code == .validationFailure else {
                    if !text.isEmpty { print(text) }
                    return code.rawValue
                }
                complain(text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text)
                return ExitStatus.usage.rawValue
            }
        }

        private static func complain(_ message: String) {
            FileHandle.standardError.write(Data("loader: \(message)\n".utf8))
        }
    }

    /// Numbers of partitions, such as `0-7` or `3,5`.
    struct PartitionList: Equatable {
        let numbers: [Int]

        init(_ text: String) throws {
            var numbers: Set<Int> = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
                guard (1...2).contains(bounds.count), let first = bounds.first.flatMap(\.self),
                    let last = bounds.last.flatMap(\.self), first <= last, last < 65_536
                else { throw ValidationError("invalid --partitions '\(text)': use numbers and ranges, such as 0-7 or 3,5") }
                numbers.formUnion(first...last)
            }
            self.numbers = numbers.sorted()
        }
    }
#endif
