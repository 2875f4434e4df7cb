#if NATS
    import EventModel
    import Foundation
    import LogFiles
    import StreamClient
    import StreamProtocol
    import WarehouseBlocks
    import WarehouseStores

    /// Loads partitions, one after another, until a signal ends it. A block is read, cut, built, and written to all stores;
    /// only then the state moves on. Runs on one thread.
    final class Loader {
        struct Options {
            var blockRows = 50_000
            /// The largest block in bytes of messages, which bounds the memory of a partition.
            var blockBytes = 16 << 20
            var blockAge = Duration.seconds(5)
            /// The pause between two reads of an idle stream.
            var pause = Duration.milliseconds(100)
            /// The file for metrics; nil for none.
            var metricsFile: String?
            /// How long numbers must be missing before collectors request them.
            var gapAge = Duration.seconds(600)
            /// Whether to end when everything is loaded.
            var runsOnce = false
        }

        private let stream: JetStream
        /// Identifies the stream.
        private let created: String
        private let partitions: [PartitionLoader]
        private let stores: [any WarehouseStore]
        private let options: Options
        private let metrics = LoaderMetrics()

        /// Opens the states, and prepares the stores.
        ///
        /// - Parameter partitions: nil for all.
        /// - Throws: `StreamError`, `LoaderError`.
        init(
            _ stream: JetStream, partitions: PartitionList?, state: String, _ stores: [any WarehouseStore],
            _ options: Options
        ) throws {
            (self.stream, self.stores, self.options) = (stream, stores, options)
            let found = try stream.state(of: StreamNames.events)
            guard let count = found.partitions, count > 0 else {
                throw StreamError(
                    .settings,
                    "\(stream.address): the stream \(StreamNames.events) was not made by a collector; it has no number of partitions"
                )
            }
            let numbers = partitions?.numbers ?? Array(0..<count)
            guard let last = numbers.last, last < count else {
                throw StreamError(.settings, "the stream has the partitions 0-\(count - 1); correct --partitions")
            }
            created = found.created
            for store in stores { try store.prepare(stream: created) }
            let metrics = self.metrics
            self.partitions = try numbers.map { number in
                PartitionLoader(
                    stream,
                    try PartitionState(
                        folder: state, partition: number, stream: found.created, partitions: count,
                        gapAge: options.gapAge),
                    number, stores, options, metrics)
            }
        }

        /// The servers, for messages.
        var address: String { stream.address }

        /// The loaded partitions, for messages.
        var partitionNames: String { partitions.map { "\($0.partition)" }.joined(separator: ",") }

        /// Loads until SIGINT or SIGTERM. Errors that may pass are reported and retried with back-off.
        ///
        /// - Throws: `StreamError`, `LoaderError`: those that need a person.
        func run() throws {
            var file = options.metricsFile.map { MetricsFile(path: $0) }
            defer { update(&file, isLast: true) }
            var (nextCheck, outage) = (ContinuousClock.now, BackOff())
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
                    for partition in partitions where !Interruption.isRequested {
                        switch try partition.step(streamLast: last) {
                        case .progress: (isBusy, isLoaded) = (true, false)
                        case .waiting: isLoaded = false
                        case .idle: break
                        }
                    }
                    outage.succeeded()
                } catch let error as StreamError where error.code == .unavailable {
                    // All partitions have the same servers.
                    metrics.failed()
                    let wait = min(.seconds(2), outage.failed())
                    LoaderLog.write(.warning, error.message, ["retry_in": "\(wait)"])
                    _ = Interruption.wait(wait)
                    continue
                }
                update(&file)
                if options.runsOnce, isLoaded { return }
                if !isBusy { _ = Interruption.wait(options.pause) }
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
            for partition in partitions { try partition.check(first: state.first) }
        }

        /// Removes a user's events from the loaded partitions and from ClickHouse.
        ///
        /// - Throws: `StreamError`, `LoaderError`.
        func erase(user: String, clickhouse: ClickHouseStore?) throws -> [Erasure.Result] {
            try Erasure(stream: stream, partitions: partitions, clickhouse: clickhouse, user: user).run()
        }

        private func update(_ file: inout MetricsFile?, isLast: Bool = false) {
            do { try file?.update(metrics, isLast: isLast) } catch {
                LoaderLog.write(.warning, "cannot write the metrics; check the folder: \(error)")
            }
        }
    }
#endif
