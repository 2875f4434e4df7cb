import ArgumentParser
import CommandSupport
import StreamClient
import Warehouse

/// The stream, and the partitions that a loader works on.
struct StreamOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Servers: nats://HOST:PORT or tls://HOST:PORT, comma-separated.", valueName: "urls"))
    var stream: String?

    @OptionGroup var access: StreamAccess

    @Option(help: ArgumentHelp("Partitions, such as 0-7 or 3,5. Default: all.", valueName: "numbers"))
    var partitions: String?

    @Option(help: ArgumentHelp("Folder for what is loaded so far; created if missing.", valueName: "folder"))
    var state = "loader-state"

    /// - Throws: `ValidationError`.
    func check() throws {
        guard stream != nil else { throw ValidationError("--stream is missing; pass the NATS servers") }
        if let partitions { _ = try PartitionList(partitions) }
    }

    /// Connects and makes a loader; see `Loader.connect`.
    ///
    /// - Returns: nil after a signal.
    /// - Throws: `StreamError`, `LoaderError`, `ValidationError`.
    func loader(_ stores: [any WarehouseStore], _ options: Loader.Options) throws -> Loader? {
        var connection = JetStream.Options(servers: stream ?? "", name: "loader")
        connection.credentials = access.streamCredentials
        connection.authority = access.streamAuthority
        connection.certificate = access.streamCertificate
        connection.key = access.streamKey
        let numbers = try partitions.map { try PartitionList($0).numbers }
        return try Loader.connect(connection, partitions: numbers, state: state, stores: stores, options: options)
    }
}

struct ClickHouseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("ClickHouse: https://HOST:PORT, or http on a loopback address.", valueName: "url"))
    var clickhouse: String?

    @Option(help: ArgumentHelp("Database in ClickHouse; created if missing.", valueName: "name"))
    var database = "tracking"

    @Option(help: ArgumentHelp("User of ClickHouse. Default: ClickHouse's default user.", valueName: "name"))
    var clickhouseUser: String?

    @Option(help: .hidden)
    var clickhousePassword: String?

    /// The store; nil without an address.
    ///
    /// - Throws: `LoaderError`.
    func store() throws -> ClickHouseStore? {
        try clickhouse.map { url in
            ClickHouseStore(
                try ClickHouseClient(
                    url: url, database: database, user: clickhouseUser, password: clickhousePassword))
        }
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
            else {
                throw ValidationError("invalid --partitions '\(text)': use numbers and ranges, such as 0-7 or 3,5")
            }
            numbers.formUnion(first...last)
        }
        self.numbers = numbers.sorted()
    }
}
