internal import LogFiles
internal import Primitives
package import StreamClient

/// Loads partitions, one after another, until a signal ends it. A block is read, cut, built, and written to all stores;
/// only then the state moves on. Runs on one thread.
package final class Loader {
    package struct Options {
        package var blockRows = 50_000
        /// The largest block in bytes of messages, which bounds the memory of a partition.
        package var blockBytes = 16 << 20
        package var blockAge = Duration.seconds(5)
        /// The pause between two reads of an idle stream.
        package var pause = Duration.milliseconds(250)
        /// The file for metrics; nil for none.
        package var metricsFile: String?
        /// How long numbers must be missing before collectors request them.
        package var gapAge = Duration.seconds(600)
        /// How long the hashes of stored lines are kept, in days.
        package var hashDays = 400
        /// Whether to end when everything is loaded.
        package var runsOnce = false

        package init() {}
    }

    private let stream: JetStream
    /// Identifies the stream.
    private let created: String
    private let partitions: [PartitionLoader]
    private let stores: [any WarehouseStore]
    private let options: Options
    private let metrics = LoaderMetrics()
    /// The first error of each partition that cannot be loaded without a person.
    private var stopped: [(partition: Int, error: any LayerError)] = []

    /// Connects and makes a loader. Tries for a minute while servers are not available or the stream does not exist yet: at
    /// the start of a whole system, they may be starting, too.
    ///
    /// - Parameter partitions: nil for all.
    /// - Returns: nil after a signal.
    /// - Throws: `StreamError`, `LoaderError`: the last one.
    package static func connect(
        _ connection: JetStream.Options, partitions: [Int]?, state: String, stores: [any WarehouseStore],
        options: Options
    ) throws -> Loader? {
        Interruption.listen()
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        var pause = RetryPause()
        while true {
            do {
                return try Loader(
                    JetStream(connection), partitions: partitions, state: state, stores: stores, options: options)
            } catch let error as any LayerError {
                guard [.unavailable, .notFound].contains(error.category), .now < end else { throw error }
                let wait = pause.failed()
                LoaderLog.write(.warning, error.message, metadata: ["retry_in": "\(wait)"])
                guard Interruption.wait(wait) else { return nil }
            }
        }
    }

    /// Opens the states, and prepares the stores.
    ///
    /// - Parameter partitions: nil for all.
    /// - Throws: `StreamError`, `LoaderError`.
    init(
        _ stream: JetStream, partitions chosen: [Int]?, state: String, stores: [any WarehouseStore],
        options: Options
    ) throws {
        self.stream = stream
        self.stores = stores
        self.options = options
        let found = try stream.state(of: StreamNames.events)
        guard let count = found.partitions, count > 0 else {
            throw StreamError(
                .settings,
                "\(stream.address): the stream \(StreamNames.events) was not made by a collector; it has no number of partitions"
            )
        }
        let numbers = chosen ?? Array(0..<count)
        guard let last = numbers.last, last < count else {
            throw StreamError(.settings, "the stream has the partitions 0-\(count - 1); correct --partitions")
        }
        created = found.created
        for store in stores { try store.prepare(stream: created) }
        let metrics = self.metrics
        self.partitions = try numbers.map { number in
            PartitionLoader(
                stream,
                state: try PartitionState(
                    folder: state, partition: number, stream: found.created, partitions: count,
                    gapAge: options.gapAge, hashDays: options.hashDays),
                partition: number, stores: stores, options: options, metrics: metrics)
        }
    }

    /// The servers, for messages.
    package var address: String { stream.address }

    /// The loaded partitions, for messages.
    package var partitionNames: String { partitions.map { "\($0.partition)" }.joined(separator: ",") }

    /// Loads until SIGINT or SIGTERM. Errors that may pass are reported and retried with back-off. A partition whose messages
    /// are missing or unreadable is reported and stopped; the loader continues with the others.
    ///
    /// - Throws: `StreamError`, `LoaderError`: those that need a person, of partitions at the end or when all are stopped.
    package func run() throws {
        var file = options.metricsFile.map { MetricsFile(path: $0) }
        defer { update(&file, isLast: true) }
        var nextCheck = ContinuousClock.now
        var outage = RetryPause()
        var isBusy = true
        while !Interruption.isRequested {
            var isLoaded = true
            do {
                if ContinuousClock.now >= nextCheck {
                    try checkStream()
                    nextCheck = .now.advanced(by: .seconds(5))
                }
                // In an idle stream, one request instead of one for each partition.
                let last = isBusy || options.runsOnce ? nil : try stream.state(of: StreamNames.events).last
                isBusy = false
                try forEachPartition { partition in
                    switch try partition.step(streamLast: last) {
                    case .progress:
                        isBusy = true
                        isLoaded = false
                    case .waiting: isLoaded = false
                    case .idle: break
                    }
                }
                outage.succeeded()
            } catch let error as StreamError where error.code == .unavailable {
                // All partitions have the same servers.
                metrics.failed()
                let wait = min(.seconds(2), outage.failed())
                LoaderLog.write(.warning, error.message, metadata: ["retry_in": "\(wait)"])
                _ = Interruption.wait(wait)
                continue
            }
            update(&file)
            if options.runsOnce && isLoaded || stopped.count == partitions.count { break }
            if !isBusy { _ = Interruption.wait(options.pause) }
        }
        if let first = stopped.first { throw first.error }
    }

    /// Runs a closure for each partition that is not stopped. Stops a partition whose messages are missing or unreadable.
    ///
    /// - Throws: Other errors of `body`.
    private func forEachPartition(_ body: (PartitionLoader) throws -> Void) throws {
        for partition in partitions where !Interruption.isRequested {
            let number = partition.partition
            guard !stopped.contains(where: { $0.partition == number }) else { continue }
            do { try body(partition) } catch let error as any LayerError where error.category == .invalidInput {
                stopped.append((number, error))
                metrics.stopped(number)
                LoaderLog.write(
                    .error, "partition \(number) is stopped: \(error.message); then restart the loader",
                    metadata: ["partition": "\(number)"])
            }
        }
    }

    /// Checks that the stream is still the same one, and has not removed messages before they were loaded.
    private func checkStream() throws {
        let state = try stream.state(of: StreamNames.events)
        guard state.created == created else {
            throw LoaderError(
                .otherStream,
                "\(stream.address) has a new stream; start the loader with a new --state folder and new stores")
        }
        try forEachPartition { try $0.check(first: state.first) }
    }

    /// Removes a user's events from the loaded partitions and from ClickHouse.
    ///
    /// - Throws: `StreamError`, `LoaderError`.
    package func erase(user: String, clickhouse: ClickHouseStore?) throws -> [Erasure.Result] {
        try Erasure(stream: stream, partitions: partitions, clickhouse: clickhouse, user: user).run()
    }

    private func update(_ file: inout MetricsFile?, isLast: Bool = false) {
        do { try file?.update(metrics, isLast: isLast) } catch {
            LoaderLog.write(.warning, "cannot write the metrics; check the folder: \(error)")
        }
    }
}
