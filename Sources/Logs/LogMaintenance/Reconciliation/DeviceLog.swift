package import DeliveryProtocol
internal import EventLog
internal import EventModel
internal import Primitives

/// Reads what a log has for its installs' numbers. An app may write the log at the same time. Not thread-safe.
///
/// Keep this order: ``init(path:consumer:)``, the collector's hashes, ``accounts(hashing:)``, the collector's
/// summaries. Concurrent deliveries then never make a number seem lost.
package struct DeviceLog {
    /// The consumer that delivers to the collector.
    package let consumer: String
    private let reader: EventLogReader
    private let account: ConsumerAccount

    /// Opens a log, and reads the consumer's progress.
    ///
    /// - Throws: `EventLogError`; ``LogMaintenanceError``, `noConsumer`, if the log has consumers, but none with this
    ///   name.
    package init(path: String, consumer: String) throws {
        self.consumer = consumer
        reader = try EventLogReader(path: path)
        account = try reader.account(of: consumer)
        guard account.isRegistered || account.consumers.isEmpty else {
            throw LogMaintenanceError(
                .noConsumer,
                """
                no consumer \(consumer) in \(path): pass the sink's name with --consumer \
                (\(account.consumers.joined(separator: ", ")))
                """)
        }
    }

    /// The installs of the log, oldest first.
    package var installs: [String] { account.generations.map(\.installID) }

    /// Reads every line, and the ledger.
    ///
    /// - Parameter runs: The hashes of each collector, by install.
    /// - Throws: `EventLogError`.
    package func accounts(hashing runs: [String: [[RangeHash]]]) throws -> [DeviceAccount] {
        let generations = account.generations
        var readings = generations.map { generation in
            LineReading(runs[generation.installID, default: []].map { $0.map(\.seqs) })
        }
        // The numbers of an install start after the last number of its predecessor.
        func add(_ seq: Int64, _ line: UnsafeRawBufferPointer) {
            guard let index = generations.lastIndex(where: { $0.base < seq }) else { return }
            readings[index].add(seq - generations[index].base, line)
        }
        try reader.forEach(withStamps: false) { event in
            add(event.seq, event.line)
            return true
        }
        try reader.forEachCopy(of: consumer) { copy in copy.line.withUnsafeBytes { add(copy.seq, $0) } }
        // Read the ledger last, so that it includes events removed meanwhile.
        let ledger = try reader.ledgerRanges()
        return zip(generations, readings).map { generation, reading in
            deviceAccount(of: generation, reading: reading, ledger: ledger)
        }
    }

    private func deviceAccount(
        of generation: LogGeneration, reading: LineReading, ledger: [LedgerEntry]
    ) -> DeviceAccount {
        let base = generation.base
        let numbers = [generation.numbers]
        func own(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
            NumberRanges.common(ranges, numbers).map { $0.lowerBound - base...$0.upperBound - base }
        }
        func own(_ seq: Int64) -> Int64 { max(0, min(seq, generation.last ?? .max) - base) }
        var device = DeviceAccount(
            installID: generation.installID, isNewest: generation.last == nil, highest: own(account.highest),
            settled: own(account.settled), covered: own(account.covered))
        device.lines = reading.lines
        device.hashes = reading.hashes
        device.undelivered = own(account.undelivered)
        device.held = own(NumberRanges.union(account.held))
        let rows = ledger.filter { $0.consumer == nil || $0.consumer == consumer }
        func ranges(_ isMeant: (LedgerEntry) -> Bool) -> [ClosedRange<Int64>] {
            own(NumberRanges.union(rows.filter(isMeant).compactMap(\.seqs)))
        }
        for reason in DropReason.allCases where reason != .forked {
            let seqs = ranges { $0.reason == reason }
            if !seqs.isEmpty {
                device.losses.append(DeviceAccount.Loss(reason.rawValue, fate: reason.fate, seqs: seqs))
            }
        }
        device.forked = ranges { $0.reason == .forked && $0.consumer != nil }
        device.copies = ranges { $0.reason == .forked && $0.consumer == nil }
        return device
    }
}

/// Builds ranges and hashes of an install's lines, whose numbers may come in any order.
private struct LineReading {
    /// The runs of each collector, sorted, with the log's counts and hashes so far.
    private var collectors: [[Run]]
    private var unordered: [ClosedRange<Int64>] = []

    private typealias Run = (seqs: ClosedRange<Int64>, count: Int64, hash: UInt64)

    init(_ runs: [[ClosedRange<Int64>]]) {
        collectors = runs.map { Set($0).sorted { $0.lowerBound < $1.lowerBound }.map { ($0, 0, 0) } }
    }

    mutating func add(_ seq: Int64, _ line: UnsafeRawBufferPointer) {
        if let last = unordered.last, last.upperBound == seq - 1 {
            unordered[unordered.count - 1] = last.lowerBound...seq
        } else {
            unordered.append(seq...seq)
        }
        var summand: UInt64?
        for collector in collectors.indices {
            guard let index = Self.run(with: seq, in: collectors[collector]) else { continue }
            let known = summand ?? RangeHash.summand(line)
            summand = known
            collectors[collector][index].count += 1
            collectors[collector][index].hash &+= known
        }
    }

    /// The run that contains a number; the last one, if there are several.
    private static func run(with seq: Int64, in runs: [Run]) -> Int? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = low + (high - low) / 2
            if runs[middle].seqs.lowerBound <= seq { low = middle + 1 } else { high = middle }
        }
        return low > 0 && runs[low - 1].seqs.contains(seq) ? low - 1 : nil
    }

    var lines: [ClosedRange<Int64>] { NumberRanges.union(unordered) }

    /// The hashes of the runs that are complete in the log.
    var hashes: [RangeHash] {
        collectors.joined().filter { $0.count == $0.seqs.upperBound - $0.seqs.lowerBound + 1 }
            .map { RangeHash(seqs: $0.seqs, hash: $0.hash) }
    }
}

extension DropReason {
    /// The corresponding fate at a collector.
    fileprivate var fate: NumberFate {
        switch self {
        case .erased: .erased
        case .optedOut: .optedOut
        case .refused: .refused
        case .forked: .forked
        default: .dropped
        }
    }
}
